// kit_author: the program with the commands for authors, slides and the site.
#include "author_commands.hpp"
#include "program.hpp"

int main(int argc, char** argv) {
    using namespace course;
    return run_program(
        {"kit_author",
         {{"check", "[RULE]", "applies all rules of the course, or one", command_check},
          {"code", "[--write]", "compares the code in pages with its regions, or writes it", command_code},
          {"lists", "[--write]",
           "compares the tables of topics and exercises with the manifest, or writes them", command_lists},
          {"new_exercise", "TOPIC NAME [--like TOPIC/NAME]",
           "creates the files of an exercise; with --like, as copies of an existing one",
           command_new_exercise},
          {"written", "--write",
           "writes the lines of sources that follow from other files: purposes, counts, demands",
           command_written},
          {"starters", "[--force TOPIC/NAME]",
           "regenerates the starters in exercises/, except files that a student has edited",
           command_starters},
          {"compare", "FIRST SECOND [--write]",
           "compares two records of one GPU; --write marks the noisy rows in the first", command_compare},
          {"numbers", "[--write]", "compares the numbers that pages quote with the records, or writes them",
           command_numbers},
          {"submit", "TOPIC/NAME wrong.MISTAKE|other.METHOD|right.WAY FILE",
           "adds FILE, an edited copy of the solution, as a submission", command_submit},
          {"expand", "TOPIC/NAME wrong.MISTAKE|other.METHOD|right.WAY FILE",
           "writes a submission to FILE as a complete program", command_expand},
          {"accept", "[PATTERN]",
           "accepts the screens of the last run, of all tests whose names contain PATTERN", command_accept},
          {"told", "VERDICT.json PROGRAM.cu", "prints a verdict, with one fact or sentence on each line",
           command_told},
          {"deck", "FILE OUTPUT [DEPFILE]", "writes a deck of slides in the form that Marp reads",
           command_deck},
          {"student", "FOLDER", "makes a copy of the course without solutions", command_student},
          {"json", "", "prints the model of the course, for tools", command_json}},
         "kit_course"},
        argc, argv);
}
