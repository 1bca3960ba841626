package dev.keelson.server.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.keelson.testing.IdentityProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@TestInstance(Lifecycle.PER_CLASS)
final class RemoteKubeconfigTest {

  private static final String CONTEXT =
      "contexts: [{name: x, context: {cluster: c, user: u}}]\ncurrent-context: x\n";
  private static final String USER = "users: [{name: u, user: {token: t}}]\n";

  private final IdentityProvider service = new IdentityProvider();
  private HttpServer plain;

  @BeforeAll
  void start() throws IOException {
    service.path(
        "/review", exchange -> exchange.getRequestHeaders().getFirst("Authorization") + "");
    plain = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    plain.createContext(
        "/review",
        exchange -> {
          byte[] answer =
              (exchange.getRequestHeaders().getFirst("Authorization")
                      + " "
                      + exchange.getRequestHeaders().containsKey("Upgrade"))
                  .getBytes(StandardCharsets.US_ASCII);
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    plain.start();
  }

  @AfterAll
  void stop() {
    service.close();
    plain.stop(0);
  }

  private static RemoteKubeconfig parse(String text) {
    return RemoteKubeconfig.parse(file -> text, Path.of("hook.yaml"), Duration.ofSeconds(10));
  }

  private static String cluster(String name, String address, String more) {
    return "clusters: [{" + name + "cluster: {server: \"" + address + "\"" + more + "}}]\n";
  }

  private String authority() {
    return ", certificate-authority-data: "
        + Base64.getEncoder()
            .encodeToString(service.certificatePem().getBytes(StandardCharsets.US_ASCII));
  }

  private String secure() {
    return service.url() + "/review";
  }

  @Test
  void server_isVerified_unlessTheClusterSaysOtherwise() throws IOException {
    RemoteKubeconfig verified = parse(CONTEXT + USER + cluster("name: c, ", secure(), ""));
    assertThatThrownBy(() -> verified.post("{}")).isInstanceOf(IOException.class);

    RemoteKubeconfig any =
        parse(CONTEXT + USER + cluster("name: c, ", secure(), ", insecure-skip-tls-verify: true"));
    assertThat(any.post("{}")).isEqualTo("Bearer t");
  }

  @Test
  void serverName_isComparedInsteadOfTheHost() throws IOException {
    String host = secure().replace("127.0.0.1", "localhost");
    RemoteKubeconfig named =
        parse(
            CONTEXT
                + USER
                + cluster("name: c, ", host, authority() + ", tls-server-name: 127.0.0.1"));
    assertThat(named.post("{}")).isEqualTo("Bearer t");

    RemoteKubeconfig other =
        parse(
            CONTEXT
                + USER
                + cluster("name: c, ", secure(), authority() + ", tls-server-name: other.test"));
    assertThatThrownBy(() -> other.post("{}")).isInstanceOf(IOException.class);
  }

  @Test
  void plainServer_isAskedWithoutAnUpgrade() throws IOException {
    String address = "http://127.0.0.1:" + plain.getAddress().getPort() + "/review";

    RemoteKubeconfig server = parse(CONTEXT + USER + cluster("name: c, ", address, ""));

    assertThat(server.post("{}")).isEqualTo("Bearer t false");
  }

  @Test
  void entriesWithoutNames_areThoseOfAKubeconfigWithoutContexts() throws IOException {
    RemoteKubeconfig server =
        parse("users: [{user: {token: own}}]\n" + cluster("", secure(), authority()));

    assertThat(server.post("{}")).isEqualTo("Bearer own");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          current-context: x | "x" not found in contexts
          {current-context: x, contexts: [{name: x, context: {cluster: c}}]} | "c" not found in clusters
          {current-context: x, contexts: [{name: x, context: {user: u}}]} | "u" not found in users
          {} | the server is not an http:// or https:// URL
          {clusters: [{cluster: {server: "ftp://h"}}]} | the server is not an http:// or https:// URL
          {clusters: [{cluster: {server: "https://h", insecure-skip-tls-verify: true, certificate-authority-data: eA==}}]} | specifying a root certificates file with the insecure flag is not allowed
          """)
  void incompleteKubeconfig_isRefused(String text, String error) {
    assertThatThrownBy(() -> parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(error);
  }
}
