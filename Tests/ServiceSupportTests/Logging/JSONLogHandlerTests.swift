import FleetToken
import Foundation
import Logging
import Testing

@testable import ServiceSupport

struct JSONLogHandlerTests {
    private let recorder = WrittenLines()

    @Test
    func `A line has time, level, logger and message, then the request's attributes, then other metadata`() throws {
        recorder.logger(.json(), label: "tokend").notice(
            "Answered",
            metadata: [
                RequestAttribute.errorType.rawValue: "INTERNAL",
                RequestAttribute.requestID.rawValue: "r-1",
                RequestAttribute.httpRequest.rawValue: ["status": .stringConvertible(200), "latency": "0.000250s"],
                "port": "\(8080)", "tls": ["versions": ["1.2", "1.3"]], "a": .stringConvertible(1),
            ]
        )
        #expect(
            try recorder.line() == """
                {"time":"2026-11-20T21:51:00.042Z","severity":"NOTICE","logger":"tokend","message":"Answered",\
                "httpRequest":{"latency":"0.000250s","status":200},"request_id":"r-1","error.type":"INTERNAL",\
                "metadata":{"a":1,"port":"8080","tls":{"versions":["1.2","1.3"]}}}
                """
        )
    }

    @Test
    func `A logger knows which lines are about requests`() {
        let logger = recorder.logger(.json())
        logger.info("request", metadata: [RequestAttribute.httpRequest.rawValue: ["status": "200"]])
        logger.error("A request failed.", metadata: [RequestAttribute.requestID.rawValue: "r-1"])
        #expect(recorder.lines.count == 2 && recorder.requestCount == 1)
    }

    @Test
    func `A logger's own level is not that of the others`() {
        let logger = recorder.logger(.json())
        var own = logger
        own.logLevel = .error
        own.info("No.")
        logger.info("Yes.")
        #expect(recorder.lines.count == 1)
    }

    @Test
    func `Metadata cannot pass for another member`() throws {
        recorder.logger(.json()).info("real", metadata: ["message": "forged", "severity": "critical", "time": "never"])
        let object = try recorder.object()
        #expect(object["message"]?.stringValue == "real")
        #expect(object["severity"]?.stringValue == "INFO")
        #expect(object["metadata"]?.objectValue?["message"]?.stringValue == "forged")
    }

    @Test
    func `Of one name's values, the call's goes before the logger's`() throws {
        var logger = recorder.logger(.json())
        for name in ["a", "b"] { logger[metadataKey: name] = "logger" }
        logger.info("m", metadata: ["b": "call"])
        let metadata = try #require(try recorder.object()["metadata"]?.objectValue)
        #expect(metadata.members.map(\.value.stringValue) == ["logger", "call"])
    }

    @Test
    func `An error is logged with its text if that is safe, and else with its type`() throws {
        struct Foreign: Error, CustomStringConvertible {
            let description = "token eyJhbGciOiJSUzI1NiJ9"
        }
        for (error, text) in [(Foreign(), "Foreign"), (OperatorError("a.json is missing."), "a.json is missing.")]
            as [(any Error, String)]
        {
            let recorder = WrittenLines()
            recorder.logger(.json()).error("Failed", error: error)
            let found = try #require(try recorder.object()["error"]?.stringValue)
            #expect(found.hasSuffix(text) && !found.contains("eyJ"))
        }
    }

    @Test(arguments: [(4_096, 4_096), (4_097, 4_099), (1_000_000, 4_099)])
    func `A text of more than 4 KiB is cut off`(count: Int, shown: Int) throws {
        let text = String(repeating: "x", count: count)
        recorder.logger(.json()).info("\(text)", metadata: ["k": "\(text)"])
        let object = try recorder.object()
        #expect(object["message"]?.stringValue?.utf8.count == shown)
        #expect(object["metadata"]?.objectValue?["k"]?.stringValue?.utf8.count == shown)
    }

    @Test
    func `Numbers and Booleans are no text, unless JSON has no such number`() throws {
        recorder.logger(.json()).info(
            "m",
            metadata: [
                "a": .stringConvertible(UInt64.max), "b": .stringConvertible(Int8(-1)), "c": .stringConvertible(1e-9),
                "d": .stringConvertible(false), "e": .stringConvertible(Double.nan),
                "f": .stringConvertible(-Double.infinity), "g": .stringConvertible(UInt16(7)), "h": "1",
            ]
        )
        let members = #"{"a":18446744073709551615,"b":-1,"c":1e-09,"d":false,"e":"nan","f":"-inf","g":7,"h":"1"}"#
        #expect(try recorder.line().hasSuffix(#""metadata":\#(members)}"#))
        _ = try recorder.object()
    }

    @Test(arguments: HostileText.all)
    func `Hostile text is escaped, and read back as it was`(hostile: HostileText) throws {
        recorder.logger(.json(), label: hostile.text).info(
            "\(hostile.text)",
            metadata: [
                hostile.text: "\(hostile.text)", "nested": [["\(hostile.text)"]],
                RequestAttribute.httpRequest.rawValue: ["requestUrl": .stringConvertible(hostile.text)],
            ]
        )
        let object = try recorder.object()
        let bytes = try #require(recorder.lines.first)
        #expect(bytes.dropLast().firstRange(of: hostile.harmful) == nil)
        #expect(bytes.dropLast().allSatisfy { $0 >= 0x20 && $0 != 0x7F })
        let utf8 = Array(hostile.text.utf8)
        for text in [
            object["logger"], object["message"], object["httpRequest"]?.objectValue?["requestUrl"],
            object["metadata"]?.objectValue?[hostile.text],
            object["metadata"]?.objectValue?["nested"]?.arrayValue?.first?.arrayValue?.first,
        ] {
            #expect(text?.stringValue.map { Array($0.utf8) } == utf8)
        }
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"), (4_102_444_800_000, "2100-01-01T00:00:00.000Z"),
            (1_795_211_460_001, "2026-11-20T21:51:00.001Z"), (1_795_211_460_009, "2026-11-20T21:51:00.009Z"),
            (1_795_211_460_999, "2026-11-20T21:51:00.999Z"),
        ] as [(Int, String)]
    )
    func `The time is RFC 3339 in UTC, to the nearest millisecond`(milliseconds: Int, text: String) {
        let time = Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
        #expect(LineLogHandler.timestamp(time) == text)
    }
}
