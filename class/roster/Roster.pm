# Rosters: who is in the class, by the names that learning platforms give the columns of their CSVs.
# Moodle's Identifier is "Participant 123", and its "Last modified (submission)" by the clock of the time zone TZ.
package Roster;
use strict;
use warnings;
use experimental 'signatures';
use Text qw(slurp text_of csv_rows cell utc_of time_in_words);
use Exporter 'import';
our @EXPORT_OK = qw(read_roster people_of);

my %COLUMNS = (
    number => ['sis user id', 'id number', 'idnumber', 'student id', 'student number', 'sid', 'matriculation number'],
    id => ['id', 'identifier', 'roster_identifier'],
    github_id => ['github_id'],
    login => ['sis login id', 'login', 'username', 'user name', 'login id', 'github_username'],
    email => ['email', 'email address', 'e-mail', 'mail', 'e-mail address', 'e-mail-adresse', 'adresse de courriel'],
    name => ['name', 'student', 'full name', 'fullname', 'student name', "vollst\x{e4}ndiger name", 'nom complet', 'nombre completo', 'nome completo'],
    first => ['first name', 'firstname', 'given name', 'first', 'vorname'],
    last => ['last name', 'lastname', 'surname', 'family name', 'last', 'nachname'],
    section => ['section', 'section_name', 'sections', 'group', 'groups'],
    handed_in => ['last modified (submission)', 'submission_timestamp'],
);

# The people of a CSV file, as hashes {number, canvas, login, email, name, section, handed_in}, all of them there. `canvas` is the
# learning platform's own number. Dies with "FILE:LINE: what is wrong". What is often taken for a CSV is named.
sub read_roster ($path) {
    my $people = eval {
        my $bytes = slurp($path);
        my $kind = $bytes =~ /^%PDF-/ ? 'a PDF' : $bytes =~ /^PK\x03\x04/ ? 'an archive or a spreadsheet (.zip, .xlsx, .ods)'
            : $bytes =~ /^\xd0\xcf\x11\xe0/ ? 'a spreadsheet (.xls)' : '';
        die "this is $kind, and no CSV: save or export the table as CSV\n" if $kind;
        people_of(csv_rows(text_of($bytes)));
    };
    return $people // die $path . ($@ =~ /^\d+: / ? ':' : ': ') . $@;
}

# The same from rows. Dies with a sentence.
sub people_of {
    my ($head, @rows) = @{ $_[0] };
    die "it is empty: its first line has to name the columns\n" if !$head;
    my %where = map { lc cell($head->[$_]) => $_ } reverse 0 .. $#$head;
    my %at = map { $_ => scalar((grep { defined } @where{ @{ $COLUMNS{$_} } })[0]) } keys %COLUMNS;
    die "its first line names no column that tells who is who: id, login, email, name\n"
        if !grep { defined $at{$_} } grep { !/^(?:section|handed_in)$/ } keys %COLUMNS;
    my (@people, %seen);
    for my $row (@rows) {
        next if !grep { lc cell($row->[$_]) ne lc cell($head->[$_]) } 0 .. $#$head; # two files, one behind the other
        my %cells = map { $_ => defined $at{$_} ? cell($row->[$at{$_}]) : '' } keys %COLUMNS;
        next if $cells{name} =~ /^points possible/i; # Canvas's second line
        my $person = person_of(\%cells, \%at);
        next if $person->{lms} eq 'canvas' && $cells{name} eq 'Student, Test' && $person->{number} eq ''; # the teacher's own
        my @signs = @$person{qw(number canvas login email name)};
        push @people, $person if grep({ $_ ne '' } @signs) && !$seen{ join "\t", @signs, $person->{section} }++;
    }
    return \@people;
}

# `lms` says whose number `canvas` is, where the columns tell: numbers of two platforms may be equal by chance.
sub person_of ($cells, $at) {
    my %person = (lms => '', canvas => $cells->{github_id}, map { $_ => $cells->{$_} } qw(number login email section name));
    $person{handed_in} = time_in_words($cells->{handed_in}) || utc_of($cells->{handed_in});
    my $id = $cells->{id};
    if ($id =~ /^\D+\s(\d+)$/ || $id =~ /^\D*[^\x00-\x7f\d]\D*(\d+)$/) { @person{qw(canvas lms)} = ($1, 'moodle') }
    elsif (defined $at->{number}) { @person{qw(canvas lms)} = ($id, 'canvas') } # ID, beside the school's SIS User ID
    elsif ($id =~ /@/) { $person{email} ||= $id }
    else { $person{number} = $id }
    $person{lms} = 'github' if $cells->{github_id} ne '';
    $person{name} = join ' ', grep { $_ ne '' } $cells->{first}, $cells->{last} if $person{name} eq '';
    return \%person;
}

1;
