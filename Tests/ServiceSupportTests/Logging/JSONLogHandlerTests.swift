import Logging
import StrictCoding
import Testing

@testable import ServiceSupport

struct JSONLogHandlerTests {
    private let recorder = LogRecorder()

    @Test func lineHasTimeLevelLoggerMessageAndThenTheRest() throws {
        recorder.logger(.json(), label: "tokend").notice(
            "Listening",
            metadata: ["port": "\(8080)", "tls": ["versions": ["1.2", "1.3"]], "a": .stringConvertible(1)]
        )
        #expect(
            try recorder.line() == """
                {"ts":"2026-11-20T21:51:00.042Z","level":"notice","logger":"tokend","message":"Listening",\
                "metadata":{"a":1,"port":"8080","tls":{"versions":["1.2","1.3"]}}}
                """
        )
    }

    @Test func requestAttributesStandBesideTheMessage() throws {
        recorder.logger(.json()).info(
            "Answered",
            metadata: [
                RequestAttribute.status.rawValue: .stringConvertible(200),
                RequestAttribute.duration.rawValue: .stringConvertible(0.000_25),
                RequestAttribute.requestID.rawValue: "r-1",
                RequestAttribute.route.rawValue: "/token/{kind}/{id}",
                "reused": .stringConvertible(true),
            ]
        )
        #expect(
            try recorder.line() == """
                {"ts":"2026-11-20T21:51:00.042Z","level":"info","logger":"test","message":"Answered",\
                "request_id":"r-1","http.route":"/token/{kind}/{id}","http.response.status_code":200,\
                "http.server.request.duration":0.00025,"metadata":{"reused":true}}
                """
        )
    }

    @Test func metadataCannotPassForAnotherMember() throws {
        recorder.logger(.json()).info("real", metadata: ["message": "forged", "level": "critical", "ts": "never"])
        let object = try recorder.object()
        #expect(object["message"]?.stringValue == "real")
        #expect(object["level"]?.stringValue == "info")
        #expect(object["metadata"]?.objectValue?["message"]?.stringValue == "forged")
    }

    @Test(arguments: Logger.Level.allCases)
    func levelIsNamed(level: Logger.Level) throws {
        recorder.logger(.json()).log(level: level, "m")
        #expect(try recorder.object()["level"]?.stringValue == level.rawValue)
    }

    @Test func whatIsBelowTheLevelIsNotWritten() {
        var logger = recorder.logger(.json(), level: .warning)
        logger.notice("no")
        #expect(recorder.lines.isEmpty)
        logger.logLevel = .notice
        logger.notice("yes")
        #expect(recorder.lines.count == 1)
    }

    @Test func nearerMetadataWins() throws {
        var logger = recorder.logger(.json())
        logger[metadataKey: "a"] = "logger"
        logger[metadataKey: "b"] = "logger"
        logger[metadataKey: "c"] = "logger"
        var handler = logger.handler
        handler.metadataProvider = Logger.MetadataProvider { ["b": "provider", "c": "provider"] }
        Logger(label: "test") { _ in handler }.info("m", metadata: ["c": "call"])
        let metadata = try #require(try recorder.object()["metadata"]?.objectValue)
        #expect(metadata.members.map(\.value.stringValue) == ["logger", "provider", "call"])
    }

    @Test func copyOfALoggerHasItsOwnMetadata() throws {
        let logger = recorder.logger(.json())
        var copy = logger
        copy[metadataKey: "k"] = "v"
        #expect(copy[metadataKey: "k"] == "v")
        logger.info("m")
        #expect(try recorder.object()["metadata"] == nil)
    }

    @Test func errorHasItsTypeAndText() throws {
        struct Broken: Error, CustomStringConvertible {
            let description = "it broke:\nbadly"
        }
        recorder.logger(.json()).error("Failed", error: Broken())
        let error = try #require(try recorder.object()["error"]?.objectValue)
        #expect(error["type"]?.stringValue?.hasSuffix("Broken") == true)
        #expect(error["message"]?.stringValue == "it broke:\nbadly")
    }

    @Test func numbersAndBooleansAreNoText() throws {
        recorder.logger(.json()).info(
            "m",
            metadata: [
                "a": .stringConvertible(UInt64.max), "b": .stringConvertible(Int8(-1)), "c": .stringConvertible(1e-9),
                "d": .stringConvertible(false), "e": .stringConvertible(Double.nan),
                "f": .stringConvertible(-Double.infinity), "g": .stringConvertible(UInt16(7)), "h": "1",
            ]
        )
        let line = try recorder.line()
        let members = #"{"a":18446744073709551615,"b":-1,"c":1e-09,"d":false,"e":"nan","f":"-inf","g":7,"h":"1"}"#
        #expect(line.hasSuffix(#""metadata":\#(members)}"#))
        _ = try recorder.object()
    }

    @Test(arguments: HostileText.all)
    func hostileTextIsEscapedAndKeptH1(hostile: HostileText) throws {
        recorder.logger(.json(), label: hostile.text).info(
            "\(hostile.text)",
            metadata: [
                hostile.text: "\(hostile.text)", "nested": [["\(hostile.text)"]],
                RequestAttribute.userAgent.rawValue: .stringConvertible(hostile.text),
            ]
        )
        let object = try recorder.object()
        let bytes = try #require(recorder.lines.first)
        #expect(bytes.dropLast().firstRange(of: hostile.harmful) == nil)
        #expect(bytes.dropLast().allSatisfy { $0 >= 0x20 && $0 != 0x7F })
        let utf8 = Array(hostile.text.utf8)
        for text in [
            object["logger"], object["message"], object["user_agent.original"],
            object["metadata"]?.objectValue?[hostile.text],
            object["metadata"]?.objectValue?["nested"]?.arrayValue?.first?.arrayValue?.first,
        ] {
            #expect(text?.stringValue.map { Array($0.utf8) } == utf8)
        }
        #expect(object["truncated"] == nil)
    }
}
