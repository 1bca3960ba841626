package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RawConnection;
import dev.keelson.testing.RestClient;
import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Odd paths, methods, headers and bodies, byte for byte as no client library sends them. Most are
 * sent twice, the second time on behalf of a user without rights: the message of the refusal tells
 * how the path was read.
 *
 * <p>The expected answers in {@code odd-requests.txt} were recorded from the server when its HTTP
 * side was one handler on the Vert.x router; a change of that side must not change them. A row has
 * the request line, header lines, the body and the answer.
 */
@Timeout(60)
class OddRequestsIT {

  private static final Pattern REPEATED =
      Pattern.compile("(chunked)?(text|bytes):(.*)", Pattern.DOTALL);
  private static final int CHUNK = 64 * 1024;

  /** Longer documents are not read, characters. */
  private static final int LONGEST = 100_000;

  private static KeelsonProcess server;
  private static SSLContext administrator;

  /** Used until the server closes it, or its end cannot be told. */
  private static @Nullable RawConnection connection;

  /** A row of the table. */
  record Row(String request, List<String> headers, String body, String answer) {

    static Row of(String line) {
      String[] cells = line.split(" ~ ?", -1);
      List<String> headers =
          cells[1].isEmpty() ? List.of() : List.of(cells[1].strip().split(" && ", -1));
      return new Row(cells[0], headers, cells[2], cells.length > 3 ? cells[3] : "");
    }

    @Override
    public String toString() {
      return request + " " + headers + " " + body;
    }
  }

  static Stream<Row> rows() throws IOException {
    try (InputStream in = OddRequestsIT.class.getResourceAsStream("odd-requests.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines().map(Row::of).toList().stream();
    }
  }

  @BeforeAll
  static void start(@TempDir Path directory) {
    server = KeelsonProcess.start(directory, List.of("--authorization-mode", "RBAC"));
    administrator = server.kubeconfig().asUser();
    RestClient client = RestClient.administrator(server);
    for (String namespace : List.of("odd", "pods", "status")) {
      expectCreated(client, "/api/v1/namespaces", object("Namespace", namespace));
    }
    expectCreated(client, "/api/v1/namespaces/odd/configmaps", object("ConfigMap", "odd"));
    expectCreated(
        client,
        "/apis/rbac.authorization.k8s.io/v1/clusterroles",
        Map.of(
            "apiVersion",
            "rbac.authorization.k8s.io/v1",
            "kind",
            "ClusterRole",
            "metadata",
            Map.of("name", "odd:role")));
  }

  @AfterAll
  static void stop() throws IOException {
    disconnect();
    server.close();
  }

  private static void expectCreated(RestClient client, String path, Map<String, Object> object) {
    assertThat(client.post(path, object).statusCode()).isEqualTo(201);
  }

  private static Map<String, Object> object(String kind, String name) {
    return Map.of("apiVersion", "v1", "kind", kind, "metadata", Map.of("name", name));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void request_isAnsweredAsRecorded(Row row) {
    String answer = answer(row);

    assertThat(answer).isEqualTo(row.answer());
  }

  private static String answer(Row row) {
    List<String> head = new ArrayList<>();
    head.add(row.request() + " HTTP/1.1");
    head.add("Host: localhost");
    head.addAll(row.headers());
    Matcher body = REPEATED.matcher(row.body());
    String text = row.body();
    if (body.matches()) {
      text =
          body.group(2).equals("bytes")
              ? "a".repeat(Integer.parseInt(body.group(3)))
              : body.group(3);
      if (body.group(1) != null) {
        head.add("Transfer-Encoding: chunked");
        return shown(ask(chunked(text), head));
      }
    }
    if (!text.isEmpty()) {
      head.add("Content-Length: " + text.getBytes(StandardCharsets.UTF_8).length);
    }
    return shown(ask(text, head));
  }

  private static RawConnection.Response ask(String body, List<String> head) {
    try {
      RawConnection open = connection;
      if (open == null) {
        open = RawConnection.tls(server.address(), administrator, "http/1.1");
        connection = open;
      }
      RawConnection.Response answer = open.ask(body, head.toArray(new String[0]));
      if (answer.status() == 400
          || header(answer, "connection").equals("close")
          || header(answer, "content-length").equals("-")) {
        disconnect();
      }
      return answer;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void disconnect() throws IOException {
    RawConnection open = connection;
    connection = null;
    if (open != null) {
      open.close();
    }
  }

  private static String chunked(String text) {
    StringBuilder chunks = new StringBuilder();
    for (int at = 0; at < text.length(); at += CHUNK) {
      String part = text.substring(at, Math.min(text.length(), at + CHUNK));
      chunks.append(Integer.toHexString(part.length())).append("\r\n").append(part).append("\r\n");
    }
    return chunks.append("0\r\n\r\n").toString();
  }

  /** The code, the media type, and what the body is. */
  private static String shown(RawConnection.Response answer) {
    return (answer.status() + " " + header(answer, "content-type") + " " + content(answer))
        .replace('\0', '?')
        .strip();
  }

  private static String header(RawConnection.Response answer, String name) {
    return answer
        .head()
        .lines()
        .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name + ":"))
        .map(line -> line.substring(name.length() + 1).strip())
        .findFirst()
        .orElse("-");
  }

  private static String content(RawConnection.Response answer) {
    String body = answer.body();
    if (!header(answer, "content-type").startsWith("application/json") || body.isEmpty()) {
      return body.length() > 60 ? "..." : body.strip().replace("\n", " | ");
    }
    if (body.length() > LONGEST) {
      return "...";
    }
    JsonPath json = new JsonPath(body);
    String kind = json.getString("kind");
    return "Status".equals(kind)
        ? json.getString("reason") + ": " + json.getString("message")
        : String.valueOf(kind);
  }
}
