/// A page of a list that is sorted by name; the token is the name of the last element before it.
struct Page<Element> {
    let elements: [Element]
    /// Empty after the last page.
    let nextToken: String

    /// Creates the page that follows a token.
    ///
    /// - Throws: ``EngineError`` if the size is negative or the token is invalid.
    init(
        _ matches: some Sequence<Element>,
        by name: (Element) -> String,
        size: Int32,
        token: String,
        defaultSize: Int = 100
    ) throws(EngineError) {
        guard size >= 0 else { throw .field(.fieldInvalid, "page_size", "is negative") }
        var after = ""
        if !token.isEmpty {
            guard let bytes = Base64URL.decode(token.utf8) else {
                throw .field(.pageTokenInvalid, "page_token", "is not a valid page token")
            }
            after = String(decoding: bytes, as: UTF8.self)
        }
        let size = size == 0 ? defaultSize : min(Int(size), 1000)
        let rest = matches.map { (name($0), $0) }.filter { after.isEmpty || $0.0 > after }.sorted { $0.0 < $1.0 }
        elements = rest.prefix(size).map(\.1)
        nextToken =
            rest.count > size ? Base64URL.encode(rest[size - 1].0.utf8) : ""
    }
}
