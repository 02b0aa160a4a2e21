import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;

/** What tokend does for each request beside the token: reuse, a limit, a grant, a chained audit line, and metrics. */
final class Work {
    private static final double[] BOUNDS = {0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10};

    private final Map<String, Set<String>> grants = Map.of("backend", Set.of("driver"));
    private final Map<String, TokenServer.Token> tokens = new HashMap<>();
    private final Map<Integer, Long> requests = new HashMap<>();
    private final long[] buckets = new long[BOUNDS.length + 1];
    private final FileChannel file;
    private final String keyID;
    private double remaining = 1_000_000;
    private long refilled = System.nanoTime();
    private long sequence;
    private String previous = "0".repeat(64);

    Work(Path audit, String keyID) throws IOException {
        file = FileChannel.open(audit, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        this.keyID = keyID;
    }

    synchronized boolean admits(String caller, String kind) {
        long now = System.nanoTime();
        remaining = Math.min(1_000_000, remaining + (now - refilled) / 1e9 * 200_000);
        refilled = now;
        if (remaining < 1) {
            return false;
        }
        remaining -= 1;
        return grants.getOrDefault(caller, Set.of()).contains(kind);
    }

    synchronized TokenServer.Token kept(String id, long now) {
        TokenServer.Token token = tokens.get(id);
        return token != null && now < token.reuseEnds() ? token : null;
    }

    synchronized void keep(String id, TokenServer.Token token) {
        Iterator<String> old = tokens.keySet().iterator();
        while (tokens.size() >= 16_384) {
            old.next();
            old.remove();
        }
        tokens.put(id, token);
    }

    /** Without the line in the file there is no token. */
    synchronized void record(
        TokenServer.Token token, String requestID, String caller, String address, String id, long now
    ) throws GeneralSecurityException, IOException {
        MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
        HexFormat hex = HexFormat.of();
        String digest = hex.formatHex(sha256.digest(token.text().getBytes(StandardCharsets.US_ASCII)));
        String line = "{\"v\":1,\"sequence\":" + (sequence + 1) + ",\"time\":" + now + ",\"requestId\":\"" + requestID
            + "\",\"method\":\"api_key\",\"caller\":\"" + caller + "\",\"address\":\"" + address
            + "\",\"kind\":\"driver\",\"ids\":[\"" + id + "\"],\"decision\":\"allow\",\"rule\":\"any\",\"keyId\":\""
            + keyID + "\",\"expiresAt\":" + token.expires() + ",\"tokenSha256\":\"" + digest + "\",\"previous\":\""
            + previous + "\"}";
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        ByteBuffer buffer = ByteBuffer.allocate(bytes.length + 1).put(bytes).put((byte) '\n').flip();
        while (buffer.hasRemaining()) {
            file.write(buffer);
        }
        sequence += 1;
        previous = hex.formatHex(sha256.digest(bytes));
    }

    synchronized void count(int status, long nanoseconds) {
        requests.merge(status, 1L, Long::sum);
        int bucket = 0;
        while (bucket < BOUNDS.length && nanoseconds / 1e9 > BOUNDS[bucket]) {
            bucket += 1;
        }
        buckets[bucket] += 1;
    }
}
