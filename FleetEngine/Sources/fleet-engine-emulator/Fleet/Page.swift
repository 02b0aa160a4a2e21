import FleetToken

/// A page of a list that is sorted by name; the token is the number of elements before it.
struct Page {
    let elements: [Message]
    /// Empty after the last page.
    let nextToken: String

    /// Creates the page that a request selects.
    ///
    /// - Throws: ``EngineError`` if the size is negative or the token is invalid.
    init(_ matches: [Message], for request: Message) throws(EngineError) {
        let size = Int(request.integer("pageSize") ?? 0)
        guard size >= 0 else { throw .invalid("page_size", "is negative") }
        let all = matches.sorted { $0.name < $1.name }
        var start = 0
        if request.has("pageToken") {
            guard let offset = Int(request.text("pageToken")), (0...all.count).contains(offset) else {
                throw .refused(by: .pageTokenInvalid, "page_token", "is not a valid page token")
            }
            start = offset
        }
        let end = min(all.count, start + (size == 0 ? 100 : min(size, 1000)))
        elements = Array(all[start..<end])
        nextToken = end < all.count ? "\(end)" : ""
    }
}

extension Page {
    /// Returns the response to a request for a list.
    ///
    /// - Parameters:
    ///   - name: The name of the list.
    ///   - total: How many elements there are on all pages; nil if the response does not say it.
    ///   - message: Returns an element as the response has it.
    /// - Returns: The response.
    func response(_ name: String, total: Int?, _ message: (Message) -> Message) -> Message {
        [
            name: .list(elements.map(message)), "nextPageToken": nextToken.isEmpty ? nil : .string(nextToken),
            "totalSize": total.flatMap { $0 == 0 ? nil : .string("\($0)") },
        ]
    }
}
