# Completes make's goals and steps, and the options of ./grade.sh, in fish: `source desk/completion.fish`.
# It asks completion.bash.
set -g histolab_completion (dirname (status filename))/completion.bash
function __histolab_words
    bash -c '. "$1"; _histolab_words . "$2" "$3"' - $histolab_completion $argv 2>/dev/null
end
complete -c make -f -n 'test -x build/front' -a '(__histolab_words make)'
complete -c grade.sh -a '(__histolab_words (commandline -opc)[-1] (commandline -ct))'
