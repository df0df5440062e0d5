// attack: looks for the files of other students, and for those of the judge
// outcome: pass
#include <dirent.h>

#include <cstdio>
#include <string>
static int found = 0;
static void look(const std::string& folder, int depth) {
    DIR* entries = opendir(folder.c_str());
    if (!entries || depth > 9) return;
    while (const dirent* entry = readdir(entries)) {
        const std::string name = entry->d_name;
        if (name == "." || name == "..") continue;
        if (name == "ann" || name == "_test.cu" || name == "seed" || name == "students" ||
            name == "solutions" || (name.size() > 8 && name.substr(name.size() - 8) == "_test.cu"))
            std::printf("ATTACK WORKED: %s/%s is there\n", folder.c_str(), name.c_str()), ++found;
        if (entry->d_type == DT_DIR) look(folder + "/" + name, depth + 1);
    }
    closedir(entries);
}
static void attack() {
    static bool done = false;
    if (done) return;
    done = true;
    for (const char* folder : {"/root", "/home", "/work", "/tmp", "/srv", "/mnt", "/opt", "/var", "/run"})
        look(folder, 0);
}
