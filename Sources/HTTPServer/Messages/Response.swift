package import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOPosix
import ServiceSupport
import StrictCoding
import Synchronization

/// A response, complete before its first byte is sent.
package struct Response: Sendable {
    package let status: HTTPResponse.Status
    /// The media type of the body, if any.
    package let contentType: String?
    /// Fields beside those of every response.
    package var headers: HTTPFields
    package let body: [UInt8]
    /// The request's ID, once the response is finished: the response then has the fields of every response.
    package var requestID: String?
    /// Whether only the head is sent, as if the body followed.
    package var omitsBody = false

    package init(
        status: HTTPResponse.Status,
        contentType: String? = nil,
        headers: HTTPFields = [:],
        body: [UInt8] = []
    ) {
        self.status = status
        self.contentType = contentType
        self.headers = headers
        self.body = body
    }
}

/// Responds to the requests of a listener.
package protocol Responder: Sendable {
    func respond(to request: Request) async -> Response
}

extension Response {
    /// Calls a closure with each header field in its order, the listener's included: the fields of every response are in
    /// this list only.
    func forEachField(and fields: HTTPFields, _ body: (_ name: HTTPField.Name, _ value: String) -> Void) {
        for field in headers { body(field.name, field.value) }
        for field in fields { body(field.name, field.value) }
        if let contentType { body(.contentType, contentType) }
        guard let requestID else { return }
        // A response is for one caller and one time.
        body(.cacheControl, "no-store")
        body(.pragma, "no-cache")
        body(.xContentTypeOptions, "nosniff")
        body(.date, DateField.now())
        body(.requestID, requestID)
        // A status without content has no length (RFC 9110 section 8.6).
        if status != .noContent { body(.contentLength, String(self.body.count)) }
    }

    /// Appends the response as HTTP/1.1.
    func write(to bytes: inout [UInt8], _ fields: HTTPFields) {
        if status == .ok {
            bytes.append(literal: "HTTP/1.1 200 OK\r\n")
        } else {
            let phrase = HTTPResponseStatus(statusCode: status.code).reasonPhrase
            bytes += "HTTP/1.1 \(status.code) \(phrase)\r\n".utf8
        }
        // Neither names nor values have CR or LF: HTTPFields lets none in.
        forEachField(and: fields) { name, value in
            bytes += name.rawName.utf8
            bytes.append(literal: ": ")
            bytes += value.utf8
            bytes.append(literal: "\r\n")
        }
        bytes.append(literal: "\r\n")
        if !omitsBody { bytes += body }
    }
}

/// The memory in which a thread's connections write their responses.
///
/// Usually the system has taken a response before the next one is written, which then uses the same memory. As long as
/// a client does not read, its response keeps the memory, and the next one gets its own.
final class ResponseBuffer: Sendable {
    private static let perThread = ThreadSpecificVariable<ResponseBuffer>()

    /// The maximum capacity that is kept, in bytes: more than a response with a token takes.
    private static let keptCapacity = 16 * 1024

    private struct State {
        /// Where a response is put together: appending to an array is cheaper than writing to a buffer.
        var bytes: [UInt8] = []
        var buffer = ByteBuffer()
    }

    // Only its thread uses it, so the lock is always free.
    private let state = Mutex(State())

    /// The current thread's, which is made when it is first needed.
    static var current: ResponseBuffer {
        if let buffer = perThread.currentValue { return buffer }
        let buffer = ResponseBuffer()
        perThread.currentValue = buffer
        return buffer
    }

    /// Returns the bytes that `write` appends.
    func bytes(_ write: (inout [UInt8]) -> Void) -> ByteBuffer {
        state.withLock { state in
            write(&state.bytes)
            state.buffer.clear(minimumCapacity: state.bytes.count)
            state.buffer.writeBytes(state.bytes)
            state.bytes.removeAll(keepingCapacity: state.bytes.capacity <= Self.keptCapacity)
            defer { if state.buffer.capacity > Self.keptCapacity { state.buffer = ByteBuffer() } }
            return state.buffer
        }
    }
}

extension HTTPField.Name {
    // swift-format-ignore: NeverForceUnwrap
    fileprivate static let pragma = Self("Pragma")!
}
