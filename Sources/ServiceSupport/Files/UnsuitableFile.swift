/// Why a file that can be opened is not read.
struct UnsuitableFile: Error {
    let hint: String
}
