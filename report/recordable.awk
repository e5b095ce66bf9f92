# Prints a file name for the GPU of these records, or says why they cannot be kept.

END {
    if (bad_input)
        exit 2
    for (i = 1; i <= count; i++) {
        if (field(i, "device.kind") != "gpu")
            refuse("the " field(i, "device.kind") " device times nothing. Grade on a machine with a GPU")
        intended = field(i, "intended") == "" ? "pass" : field(i, "intended")
        if (is_step(i) && field(i, "verdict") != intended)
            refuse(field(i, "step") ": " field(i, "verdict") ". Mend it, and grade again")
        if (device != "" && device != field(i, "device.name"))
            refuse("they come from several GPUs. Record them one by one")
        device = field(i, "device.name")
    }
    name = tolower(device)
    gsub(/[^a-z0-9]+/, "-", name)
    print name
}

function refuse(why) {
    printf "record: not recorded: %s.\n", why > "/dev/stderr"
    exit 1
}
