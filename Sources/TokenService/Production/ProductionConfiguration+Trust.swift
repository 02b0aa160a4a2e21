import ServiceConfiguration
import ServiceSupport
import TokenMinting

extension ProductionConfiguration {
    /// Finds files that control access and can be changed by users other than root and this user.
    ///
    /// - Parameter path: The configuration's own file.
    /// - Returns: Each problem once, with the file's path in the configuration and the command that fixes it.
    func trustProblems(_ path: String) -> [(name: String, problem: String)] {
        var files = [("configuration", TrustedFile(path))]
        files += namedFiles.map { ($0.name, TrustedFile($0.path)) }
        // Its code runs in this process.
        if case .file(let trail) = audit.sink { files.append(("audit", TrustedFile(trail, isWritten: true))) }
        // A file of many callers is one file, and a folder of many files is one problem.
        var seen: Set<String> = []
        var known: Set<String> = Set(fileProblems)
        let others = files.filter { seen.insert($0.1.path).inserted }.flatMap { name, file in
            file.problems.filter { known.insert($0).inserted }.map { (name, $0) }
        }
        return fileProblems.map { ("configuration", $0) } + others
    }
}
