# Moodle, Assignment, Download all submissions (moodle, mod/assign/classes/downloader.php):
#
#   Jane Doe_12_assignsubmission_file/lab.zip          a folder for each participant, with the folders that they made;
#   Jane Doe_12_assignsubmission_onlinetext/...html    before Moodle 4 its name ended with _
#   Jane Doe_12_assignsubmission_file_lab.zip          or, without "Download submissions in folders", flat files
#   Participant_12_assignsubmission_file/lab.zip       with anonymous submissions; Participant in any language
#   Team A_34_assignsubmission_file/lab.zip            of a group: its name and number (the worksheet has a column Group)
#
# 12 is the participant's number in this assignment. The grading worksheet (mod/assign/gradingtable.php), a CSV that may
# lie beside them, has it as "Participant 12", with name, e-mail and "Last modified (submission)".
package lms::moodle;
use strict;
use warnings;

sub uploads {
    my ($download) = @_;
    my %of;
    for my $path ($download->files) {
        # The first number counts: what follows may be a file's name, which students choose. Names have no _.
        my ($name, $number, $kind, $file) = $path =~ m{^([^/]+?)_(\d+)_assignsubmission_([^/_]+)(?:_?/|_)/*(.+)$}s
            ? ($1, $2, $3, $4) : $path =~ m{^[^/]+\.csv$}i ? next : return;
        my $upload = $of{$number} //= { people => [{ name => $name, canvas => $number }], folder => $number, files => [] };
        push @{ $upload->{files} }, { path => $path, as => $kind eq 'file' ? $file : "$kind/$file", order => 0 };
    }
    return map { $of{$_} } sort keys %of;
}

1;
