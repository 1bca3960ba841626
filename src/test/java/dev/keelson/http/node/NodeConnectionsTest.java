package dev.keelson.http.node;

import static dev.keelson.testing.Eventually.assertEventually;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.keelson.testing.RawConnection;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.SelfSignedCertificate;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Logs and proxies, between a client and a kubelet with a certificate for 127.0.0.1. */
@Timeout(60)
class NodeConnectionsTest {

  private static final String LOG = "/api/v1/namespaces/default/pods/p/log";
  private static final String NODE = "/api/v1/nodes/n1/proxy";

  private final SelfSignedCertificate certificate = SelfSignedCertificate.create("127.0.0.1");
  private final AtomicReference<KubeletIdentity> identity =
      new AtomicReference<>(KubeletIdentity.NONE);
  private final NodeFront front = new NodeFront(identity::get, Duration.ofSeconds(1));
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final AtomicReference<Consumer<HttpServerRequest>> kubelet =
      new AtomicReference<>(request -> request.response().end("hello"));
  private final AtomicReference<String> asked = new AtomicReference<>("");
  private final AtomicReference<Map<String, String>> headers = new AtomicReference<>(Map.of());
  private int port;

  @BeforeEach
  void start() {
    port =
        NodeFront.await(
                front
                    .vertx
                    .createHttpServer(
                        new HttpServerOptions()
                            .setSsl(true)
                            .setKeyCertOptions(certificate.keyCertOptions()))
                    .requestHandler(
                        request -> {
                          asked.set(request.method() + " " + request.uri());
                          Map<String, String> got = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
                          request.headers().forEach(got::put);
                          headers.set(got);
                          kubelet.get().accept(request);
                        })
                    .listen(0, "127.0.0.1"))
            .actualPort();
    front.node(port);
  }

  @AfterEach
  void stop() {
    client.close();
    front.close();
    certificate.delete();
  }

  private HttpResponse<String> sent(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private HttpRequest.Builder ask(String path) {
    return HttpRequest.newBuilder(front.uri.resolve(path));
  }

  private String answer(String path) throws Exception {
    HttpResponse<String> got = sent(ask(path));
    return got.statusCode() + " " + got.body();
  }

  @Test
  void log_isTheKubelets_withoutAnythingOfTheClient() throws Exception {
    HttpResponse<String> got =
        sent(
            ask(LOG + "?tailLines=5&follow=true&x=y")
                .header("Authorization", "Bearer secret")
                .header("Cookie", "c=d")
                .header("X-Custom", "a"));

    assertThat(got.statusCode()).isEqualTo(200);
    assertThat(got.body()).isEqualTo("hello");
    assertThat(got.headers().firstValue("Content-Type")).hasValue("text/plain");
    assertThat(asked).hasValue("GET /containerLogs/default/p/c?follow=true&tailLines=5");
    assertThat(headers.get()).containsOnlyKeys("Host", "User-Agent");
  }

  @Test
  void logOfAnUnscheduledPod_isNoContent() throws Exception {
    front.cluster.put("pods", "p", "{'spec':{'containers':[{'name':'c'}]}}");

    assertThat(answer(LOG)).isEqualTo("204 ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "?tailLines=-1&container=x|422 Invalid PodLogOptions \"p\" is invalid: tailLines: Invalid"
            + " value: -1: must be greater than or equal to 0",
        "?tailLines=a|400 BadRequest strconv.ParseInt: parsing \"a\": invalid syntax",
        "?container=x|400 BadRequest container x is not valid for pod p",
      })
  void logErrors_comeBeforeTheKubelet(String query, String expected) throws Exception {
    assertThat(answer(LOG + query)).isEqualTo(expected);
    assertThat(asked).hasValue("");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "400|400 BadRequest broken",
        "404|404 NotFound the server could not find the requested resource ( pods/log p)",
        "403|403 Forbidden broken ( pods/log p)",
        "500|500 InternalError Internal error occurred: broken",
        "502|502 InternalError an error on the server (\"broken\") has prevented the request from"
            + " succeeding ( pods/log p)",
      })
  void kubeletsRefusal_isToldAsKubernetesDoes(int status, String expected) throws Exception {
    kubelet.set(request -> request.response().setStatusCode(status).end("broken"));

    assertThat(answer(LOG)).isEqualTo(expected);
  }

  @Test
  void redirectOfAKubelet_isNotFollowed() throws Exception {
    AtomicBoolean followed = new AtomicBoolean();
    kubelet.set(
        request -> {
          followed.set("/metadata".equals(request.path()));
          request.response().setStatusCode(302).putHeader("Location", "/metadata").end();
        });

    assertThat(answer(LOG)).isEqualTo("500  Get \"/metadata\": redirects forbidden");
    assertThat(followed).isFalse();
  }

  @Test
  void unreachableKubelet_isToldInGoWords() throws Exception {
    front.node(1);

    assertThat(answer(LOG))
        .isEqualTo(
            "500  Get \"https://127.0.0.1:1/containerLogs/default/p/c\": dial tcp 127.0.0.1:1:"
                + " connect: connection refused");
    assertThat(answer(NODE + "/healthz"))
        .isEqualTo(
            "503 ServiceUnavailable error trying to reach service: dial tcp 127.0.0.1:1: connect:"
                + " connection refused");
  }

  @Test
  void followedLog_waitsLongerThanOtherRequests_andEndsWithTheClient() throws Exception {
    AtomicReference<HttpServerRequest> open = new AtomicReference<>();
    AtomicBoolean gone = new AtomicBoolean();
    kubelet.set(
        request -> {
          request.connection().closeHandler(closed -> gone.set(true));
          open.set(request);
          front.vertx.setTimer(1500, late -> beginLog(request));
        });

    HttpResponse<InputStream> got =
        client.send(ask(LOG + "?follow=true").build(), BodyHandlers.ofInputStream());
    assertThat(got.statusCode()).isEqualTo(200);
    try (InputStream body = got.body()) {
      assertThat(body.readNBytes(4)).isEqualTo("one\n".getBytes(UTF_8));
      var unused = open.get().response().write("two\n");
      assertThat(body.readNBytes(4)).isEqualTo("two\n".getBytes(UTF_8));
    }

    assertEventually(() -> assertThat(gone).isTrue());
  }

  private static void beginLog(HttpServerRequest request) {
    var unused = request.response().setChunked(true).write("one\n");
  }

  @Test
  void certificateOfAKubelet_isVerified_ifThereIsAnAuthority() throws Exception {
    SelfSignedCertificate other = SelfSignedCertificate.create("127.0.0.1");
    identity.set(new KubeletIdentity("", "", Files.readString(Path.of(other.certificatePath()))));
    assertThat(answer(LOG)).startsWith("500  Get \"https://127.0.0.1:").contains("x509");
    assertThat(answer(LOG + "?insecureSkipTLSVerifyBackend=true")).isEqualTo("200 hello");
    other.delete();
  }

  @Test
  void proxy_passesMethodPathQueryAndBody() throws Exception {
    kubelet.set(
        request ->
            request
                .body()
                .onSuccess(
                    body ->
                        request
                            .response()
                            .setStatusCode(201)
                            .putHeader("X-Answer", "yes")
                            .putHeader("Access-Control-Allow-Origin", "*")
                            .end("got " + body)));

    HttpResponse<String> got =
        sent(
            ask(NODE + "/a%20b/..//c%2Fd/?x=1&y=%20")
                .header("Authorization", "Bearer secret")
                .header("Impersonate-User", "root")
                .header("X-Remote-User", "root")
                .header("X-Custom", "kept")
                .method("PATCH", HttpRequest.BodyPublishers.ofString("body")));

    assertThat(got.statusCode()).isEqualTo(201);
    assertThat(got.body()).isEqualTo("got body");
    assertThat(got.headers().map()).containsKey("x-answer");
    assertThat(got.headers().map()).doesNotContainKey("access-control-allow-origin");
    assertThat(asked).hasValue("PATCH /c/d/?x=1&y=%20");
    assertThat(headers.get())
        .containsEntry("X-Custom", "kept")
        .containsEntry("X-Forwarded-For", "127.0.0.1")
        .doesNotContainKeys("Authorization", "Impersonate-User", "X-Remote-User");
  }

  @ParameterizedTest
  @CsvSource({"HEAD", "OPTIONS", "GET", "DELETE", "PUT", "POST"})
  void proxy_passesAllMethods(String method) throws Exception {
    HttpResponse<String> got =
        sent(ask(NODE + "/x").method(method, HttpRequest.BodyPublishers.noBody()));

    assertThat(got.statusCode()).isEqualTo(200);
    assertThat(asked).hasValue(method + " /x");
  }

  @Test
  void proxyWithoutAPath_redirectsToOneWithASlash() throws Exception {
    HttpResponse<String> got = sent(ask(NODE + "?a=b"));

    assertThat(got.statusCode()).isEqualTo(301);
    assertThat(got.headers().firstValue("Location")).hasValue(NODE + "/?a=b");
    assertThat(answer(NODE + "/")).isEqualTo("200 hello");
    assertThat(asked).hasValue("GET /");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/other/?q=1#f|/api/v1/nodes/n1/proxy/other/?q=1#f",
        "https://127.0.0.1:PORT/other|/api/v1/nodes/n1/proxy/other",
        "https://elsewhere/other|https://elsewhere/other",
        "https://HOST/other/|https://HOST/api/v1/nodes/n1/proxy/other/",
        "relative|relative",
        "/api/v1/nodes/n1/proxy/x|/api/v1/nodes/n1/proxy/x",
      })
  void redirect_leadsToTheProxyAgain(String location, String expected) throws Exception {
    kubelet.set(
        request ->
            request
                .response()
                .setStatusCode(302)
                .putHeader(
                    "Location",
                    location
                        .replace("PORT", Integer.toString(port))
                        .replace("HOST", front.uri.getAuthority()))
                .end());

    HttpResponse<String> got = sent(ask(NODE + "/a/b"));

    assertThat(got.statusCode()).isEqualTo(302);
    assertThat(got.headers().firstValue("Location"))
        .hasValue(expected.replace("HOST", front.uri.getAuthority()));
  }

  @ParameterizedTest
  @CsvSource({
    "'', text/html, true",
    "'', text/html ; charset=utf-8, true",
    "'', text/plain, false",
    "gzip, text/html, true",
    "deflate, text/html, true",
    "zlib, text/html, true",
    "br, text/html, false",
  })
  void linksOfPages_leadToTheProxyAgain(String coding, String type, boolean changed)
      throws Exception {
    String page = "<a href=\"/x\">long body test</a>".repeat(4097);
    byte[] sent = coded(coding, page.getBytes(UTF_8));
    kubelet.set(
        request -> {
          HttpServerResponse response = request.response().putHeader("Content-Type", type);
          if (!coding.isEmpty()) {
            response.putHeader("Content-Encoding", coding.equals("zlib") ? "deflate" : coding);
          }
          var unused = response.end(Buffer.buffer(sent));
        });

    HttpResponse<byte[]> got = client.send(ask(NODE + "/a/b").build(), BodyHandlers.ofByteArray());

    assertThat(new String(decoded(coding, got.body()), UTF_8))
        .isEqualTo(changed ? page.replace("\"/x", "\"" + NODE + "/x") : page);
    assertThat(got.headers().firstValue("Content-Length").isPresent()).isNotEqualTo(changed);
    assertThat(got.headers().firstValue("Content-Encoding"))
        .isEqualTo(
            coding.isEmpty()
                ? Optional.empty()
                : Optional.of(coding.equals("zlib") ? "deflate" : coding));
  }

  private static byte[] coded(String coding, byte[] page) throws IOException {
    ByteArrayOutputStream coded = new ByteArrayOutputStream();
    try (OutputStream out =
        switch (coding) {
          case "gzip" -> new GZIPOutputStream(coded);
          case "zlib" -> new DeflaterOutputStream(coded);
          case "deflate" -> new DeflaterOutputStream(coded, new Deflater(9, /* nowrap= */ true));
          default -> coded;
        }) {
      if (coding.equals("gzip")) {
        // two members, as some servers send them
        out.write(page, 0, 1000);
        ((GZIPOutputStream) out).finish();
        try (GZIPOutputStream second = new GZIPOutputStream(coded)) {
          second.write(page, 1000, page.length - 1000);
        }
      } else {
        out.write(page);
      }
    }
    return coded.toByteArray();
  }

  private static byte[] decoded(String coding, byte[] coded) throws IOException {
    InputStream in = new ByteArrayInputStream(coded);
    return switch (coding) {
      case "gzip" -> new GZIPInputStream(in).readAllBytes();
      case "zlib" -> new InflaterInputStream(in).readAllBytes();
      case "deflate" -> new InflaterInputStream(in, new Inflater(true)).readAllBytes();
      default -> coded;
    };
  }

  @Test
  void pageThatIsNotInItsCoding_breaksOff() {
    kubelet.set(
        request ->
            request
                .response()
                .putHeader("Content-Type", "text/html")
                .putHeader("Content-Encoding", "gzip")
                .end("<a href=\"/x\">"));

    assertThatExceptionOfType(IOException.class).isThrownBy(() -> sent(ask(NODE + "/a/b")));
  }

  @Test
  void streams_needAnUpgrade_andTheRightToCreate() throws Exception {
    String exec = "/api/v1/namespaces/default/pods/p/exec?command=ls&stdout=1";
    assertThat(answer(exec)).isEqualTo("400 BadRequest Upgrade request required");
    front.cluster.put("pods", "p", "{'metadata':{'name':'p'},'spec':{'containers':[{}]}}");
    assertThat(answer(exec)).isEqualTo("400 BadRequest pod p does not have a host assigned");
    front.refusesCreate = true;
    assertThat(answer(exec))
        .isEqualTo(
            "403 Forbidden pods \"p\" is forbidden: User \"ann\" cannot create resource"
                + " \"pods/exec\" in API group \"\" in the namespace \"default\"");
  }

  @Test
  void spdy_passesAsItIs() throws Exception {
    kubelet.set(
        request ->
            request
                .toNetSocket()
                .onSuccess(
                    socket -> {
                      var unused = socket.write("welcome");
                      unused = socket.pipeTo(socket);
                    }));
    try (RawConnection connection = RawConnection.plain(front.uri)) {
      connection
          .out()
          .write(
              ("GET /api/v1/namespaces/default/pods/p/exec?command=a&command=b%20c&stdin=true"
                      + "&stdout=true&tty=true HTTP/1.1\r\nHost: front\r\nConnection: Upgrade\r\n"
                      + "Upgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: v4.channel.k8s.io\r\n"
                      + "Authorization: Bearer secret\r\n\r\n")
                  .getBytes(US_ASCII));
      assertThat(head(connection.in())).startsWith("HTTP/1.1 101 ");
      assertThat(connection.in().readNBytes(7)).isEqualTo("welcome".getBytes(US_ASCII));
      byte[] large = new byte[200_000];
      large[150_000] = 5;
      connection.out().write(large);
      assertThat(connection.in().readNBytes(large.length)).isEqualTo(large);
    }
    assertThat(asked)
        .hasValue("GET /exec/default/p/c?command=a&command=b+c&input=1&output=1&tty=1");
    assertThat(headers.get())
        .containsEntry("Upgrade", "SPDY/3.1")
        .containsEntry("X-Stream-Protocol-Version", "v4.channel.k8s.io")
        .doesNotContainKey("Authorization");
  }

  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      assertThat(next).as(head.toString()).isNotNegative();
      head.append((char) next);
    }
    return head.toString();
  }

  @ParameterizedTest
  @CsvSource({
    "/api/v1/nodes/n/proxy, true",
    "/api/v1/nodes/n/proxy/, true",
    "/api/v1/nodes/n/proxy/a/b, true",
    "/api/v1/namespaces/d/pods/p/log, true",
    "/api/v1/namespaces/d/services/s/proxy/x, true",
    "/api/v1/namespaces/d/pods/p/status, false",
    "/api/v1/namespaces/d/pods/p/, false",
    "/api/v1/namespaces/d/pods, false",
    "/api/v1/namespaces/d/configmaps/c/proxy, false",
    "/api/v1/namespaces/d, false",
    "/api/v1/pods, false",
    "/apis/apps/v1/namespaces/d/deployments/x/log, false",
  })
  void paths_ofNodesAreFound(String path, boolean expected) {
    assertThat(NodeDelegation.connects(path)).isEqualTo(expected);
  }
}
