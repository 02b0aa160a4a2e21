import Testing

@testable import ServiceSupport

struct StringTerminalTests {
    private static let texts: [(String, String)] = [
        ("plain, with spaces\nand lines", "plain, with spaces\nand lines"),
        ("é 漢字 עברית", "é 漢字 עברית"),
        ("\u{1b}[2J", "\\u{1b}[2J"),
        ("\u{115f}\u{fe0f}\u{e0100}", "\\u{115f}\\u{fe0f}\\u{e0100}"),
        ("a\r\nb\rc\td", "a\\u{d}\nb\\u{d}c\\u{9}d"),
        ("\u{0}\u{7}\u{7f}\u{85}\u{9b}", "\\u{0}\\u{7}\\u{7f}\\u{85}\\u{9b}"),
        (
            "\u{202e}\u{200b}\u{2028}\u{feff}\u{e000}\u{e0041}",
            "\\u{202e}\\u{200b}\\u{2028}\\u{feff}\\u{e000}\\u{e0041}"
        ),
    ]

    @Test(arguments: texts)
    func `Characters that act on a terminal or hide are escaped, line feeds only in a line`(
        text: String,
        harmless: String
    ) {
        #expect(text.harmlessOnTerminal.unicodeScalars.elementsEqual(harmless.unicodeScalars))
        // A line feed would let a key in a file write a line of the answer.
        let line = harmless.replacing("\n", with: "\\u{a}")
        #expect(text.harmlessLine.unicodeScalars.elementsEqual(line.unicodeScalars))
    }
}
