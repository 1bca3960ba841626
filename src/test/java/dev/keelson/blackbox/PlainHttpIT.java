package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.FreePort;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RawConnection;
import dev.keelson.testing.RawConnection.Response;
import dev.keelson.testing.RestClient;
import io.restassured.RestAssured;
import io.restassured.specification.RequestSpecification;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server behind a platform that ends TLS: {@code --http-port}. */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(180)
class PlainHttpIT {

  private static final String TOKEN = "0123456789abcdef";
  private static final String WHO_AM_I = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

  private KeelsonProcess server;
  private URI plain;
  private Path log;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    int port = FreePort.find();
    plain = URI.create("http://127.0.0.1:" + port);
    log = directory.resolve("audit.log");
    Path tokens =
        Files.writeString(directory.resolve("tokens.csv"), TOKEN + ",operator,1,system:masters\n");
    Path policy =
        Files.writeString(
            directory.resolve("policy.yaml"),
            "{apiVersion: audit.k8s.io/v1, kind: Policy, rules: [{level: Metadata}]}");
    server =
        KeelsonProcess.start(
            directory.resolve("data"),
            List.of(
                "--http-port=" + port,
                "--trusted-proxies=127.0.0.1/32",
                "--authorization-mode=RBAC",
                "--token-auth-file=" + tokens,
                "--audit-policy-file=" + policy,
                "--audit-log-mode=blocking",
                "--audit-log-path=" + log));
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private Response get(String path, String... headers) throws IOException {
    try (RawConnection connection = RawConnection.plain(plain)) {
      String[] head = new String[headers.length + 3];
      head[0] = "GET " + path + " HTTP/1.1";
      head[1] = "Host: keelson";
      head[2] = "Connection: close";
      System.arraycopy(headers, 0, head, 3, headers.length);
      return connection.ask("", head);
    }
  }

  @Test
  void probes_areForEverybody_objectsAreNot() throws IOException {
    assertThat(get("/readyz").status()).isEqualTo(200);
    assertThat(get("/api/v1/pods").status()).isEqualTo(403);
    assertThat(get("/api/v1/pods").body()).contains("system:anonymous");
    assertThat(get("/api/v1/pods", "Authorization: Bearer wrong").status()).isEqualTo(401);
    assertThat(get("/api/v1/pods", "Authorization: Bearer " + TOKEN).status()).isEqualTo(200);
  }

  /** Nobody has verified a certificate of the front proxy. */
  @Test
  void identitiesInHeaders_areNotBelieved() throws IOException {
    assertThat(
            get("/api/v1/pods", "X-Remote-User: admin", "X-Remote-Group: system:masters").status())
        .isEqualTo(403);
  }

  @Test
  void objects_areWrittenAndRead() {
    RequestSpecification operator =
        RestAssured.given()
            .baseUri(plain.toString())
            .header("Authorization", "Bearer " + TOKEN)
            .contentType("application/json");
    String all = "/api/v1/namespaces/default/configmaps";

    assertThat(
            operator
                .body("{\"metadata\":{\"name\":\"over-http\"},\"data\":{\"a\":\"b\"}}")
                .post(all)
                .statusCode())
        .isEqualTo(201);
    String events =
        RestAssured.given()
            .baseUri(plain.toString())
            .header("Authorization", "Bearer " + TOKEN)
            .get(all + "?watch=1&timeoutSeconds=1&fieldSelector=metadata.name=over-http")
            .asString();
    assertThat(events).startsWith("{\"type\":\"ADDED\"").contains("\"a\":\"b\"");
  }

  @Test
  void http2_isServedToClientsThatKnowIt() throws Exception {
    Vertx vertx = Vertx.vertx();
    try {
      HttpClientRequest request =
          vertx
              .createHttpClient(
                  new HttpClientOptions()
                      .setProtocolVersion(HttpVersion.HTTP_2)
                      .setHttp2ClearTextUpgrade(false))
              .request(HttpMethod.POST, plain.getPort(), plain.getHost(), WHO_AM_I)
              .toCompletionStage()
              .toCompletableFuture()
              .get();
      request.putHeader("Authorization", "Bearer " + TOKEN);
      request.putHeader("Content-Type", "application/json");
      String body =
          request
              .send("{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"SelfSubjectReview\"}")
              .compose(
                  response -> {
                    assertThat(response.version()).isEqualTo(HttpVersion.HTTP_2);
                    assertThat(response.statusCode()).isEqualTo(201);
                    return response.body();
                  })
              .toCompletionStage()
              .toCompletableFuture()
              .get()
              .toString();
      assertThat(body).contains("\"username\":\"operator\"");
    } finally {
      Void unused = vertx.close().toCompletionStage().toCompletableFuture().get();
    }
  }

  /** It would carry requests past a proxy that passes the header on. */
  @Test
  void upgradeToHttp2_isIgnored() throws IOException {
    Response response =
        get(
            "/version",
            "Upgrade: h2c",
            "Connection: Upgrade, HTTP2-Settings",
            "HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA");

    assertThat(response.status()).isEqualTo(200);
    assertThat(response.head()).startsWith("HTTP/1.1 200");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1\r\n\r\n",
        "PRI * HTTP/1.1\r\nHost: a\r\n\r\n",
        "PRINT / HTTP/1.1\r\nHost: a\r\n\r\n",
        "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
      })
  void whatIsNoRequest_isRefused(String bytes) throws IOException {
    try (RawConnection connection = RawConnection.plain(plain)) {
      connection.out().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
      connection.out().flush();

      assertThat(connection.answer().status()).isEqualTo(400);
    }
  }

  @Test
  void requestThatDrips_isAnswered() throws IOException {
    try (RawConnection connection = RawConnection.plain(plain)) {
      for (char c : "POST /api/v1/pods".toCharArray()) {
        connection.out().write(c);
        connection.out().flush();
      }
      Response response = connection.ask("", " HTTP/1.1", "Host: a", "Content-Length: 0");

      assertThat(response.status()).isEqualTo(403);
    }
  }

  @Test
  void addressesOfATrustedProxy_areInTheAudit() throws IOException {
    Response answered =
        get("/version?forwarded", "X-Forwarded-For: 203.0.113.9", "Authorization: Bearer " + TOKEN);
    assertThat(answered.status()).isEqualTo(200);

    List<String> events =
        Files.readAllLines(log).stream().filter(line -> line.contains("?forwarded")).toList();
    assertThat(events).isNotEmpty();
    assertThat(events).allMatch(line -> line.contains("[\"203.0.113.9\",\"127.0.0.1\"]"));
  }

  @Test
  void encryptedPort_isServedBesideIt() {
    assertThat(RestClient.administrator(server).get("/api/v1/namespaces").statusCode())
        .isEqualTo(200);
    assertThat(server.address().getScheme()).isEqualTo("https");
  }

  @Test
  void portThatIsTaken_isNamed(@TempDir Path directory) throws Exception {
    Process second =
        new ProcessBuilder(
                Path.of("bin", "keelson").toAbsolutePath().toString(),
                "--data-dir=" + directory,
                "--secure-port=0",
                "--authorization-mode=RBAC",
                "--http-port=" + plain.getPort())
            .redirectErrorStream(true)
            .start();

    String output = new String(second.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(second.waitFor()).isEqualTo(1);
    assertThat(output).contains("--http-port: cannot listen on 127.0.0.1, port " + plain.getPort());
  }
}
