#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where the emulator finds the public keys of service accounts.
enum KeySource: Sendable {
    /// A key file of a service account. Only its public half is kept.
    ///
    /// The account's role is the configured one, or follows from the file's name: `driver.json`.
    case file(String)
    /// A folder of such files, like the one that `tokend dev` makes.
    case folder(String)
    /// A file with a JSON Web Key Set, whose keys may be any account's.
    case keySet(String)
}
