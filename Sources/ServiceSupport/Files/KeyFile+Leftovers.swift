import StrictCoding
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension KeyFile {
    private static let ending = ".tmp"

    package static func temporaryName(of path: String) -> String {
        "\(path).\(UInt64.random(in: .min ... .max))\(ending)"
    }

    /// Removes temporary files of a path that a process left when it was killed: they hold a private key.
    ///
    /// A file that another process has locked is in use, and stays.
    package static func removeLeftovers(of path: String) {
        let path = FilePath(path)
        let folder = path.removingLastComponent()
        guard let name = path.lastComponent?.string,
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder.string)
        else { return }
        for other in names {
            let rest = other.utf8.dropFirst(name.utf8.count + 1)
            guard other.utf8.starts(with: "\(name).".utf8), rest.count > ending.utf8.count,
                rest.suffix(ending.utf8.count).elementsEqual(ending.utf8),
                rest.dropLast(ending.utf8.count).allSatisfy(\.isASCIIDigit)
            else { continue }
            let leftover = folder.appending(other)
            guard
                let file = try? FileDescriptor.open(
                    leftover,
                    .readOnly,
                    options: [.closeOnExec, .noFollow, .nonBlocking]
                )
            else { continue }
            try? file.closeAfter {
                if flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 { unlink(leftover.string) }
            }
        }
    }
}
