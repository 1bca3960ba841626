package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import dev.keelson.testing.RestClient;
import dev.keelson.testing.TestAuthority;
import dev.keelson.testing.TestAuthority.Period;
import dev.keelson.testing.TestIdentity;
import dev.keelson.testing.kubelet.KubeletStandIn;
import io.restassured.response.Response;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The proxies of pods, services and nodes: who may use them, what passes, and the audit. */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(120)
class NodeProxiesIT {

  private static final String DEFAULT = "/api/v1/namespaces/default/";

  private static final String POLICY =
      "{apiVersion: audit.k8s.io/v1, kind: Policy, rules: [{level: Metadata}]}";

  private final TestAuthority servers = TestAuthority.root("kubelets", Period.now());
  private final TestAuthority clients = TestAuthority.root("clients", Period.now());
  private Path log;
  private KubeletStandIn kubelet;
  private KeelsonProcess server;
  private HttpServer pod;
  private Kubectl kubectl;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    Optional<InetAddress> address =
        NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .filter(each -> each.getAddress().length == 4)
            .filter(each -> !each.isLoopbackAddress() && !each.isLinkLocalAddress())
            .findFirst();
    assumeTrue(address.isPresent(), "the host has no address that is not local");
    pod = HttpServer.create(new InetSocketAddress(address.get(), 0), 0);
    var unused = pod.createContext("/", NodeProxiesIT::answer);
    pod.start();
    kubelet = new KubeletStandIn(servers, clients, /* webSockets= */ false);
    TestIdentity own = clients.identity("CN=apiserver,O=system:masters");
    log = directory.resolve("audit.log");
    server =
        KeelsonProcess.start(
            directory.resolve("server"),
            List.of(
                "--kubelet-allow-local-addresses",
                "--authorization-mode=RBAC",
                "--token-auth-file="
                    + Files.writeString(
                        directory.resolve("tokens"), "of-ann,ann,1\nof-ben,ben,2\n"),
                "--audit-log-path=" + log,
                "--audit-policy-file=" + Files.writeString(directory.resolve("policy"), POLICY),
                "--kubelet-certificate-authority="
                    + Files.writeString(directory.resolve("kubelets.pem"), servers.pem()),
                "--kubelet-client-certificate="
                    + Files.writeString(directory.resolve("own.pem"), own.certificatePem()),
                "--kubelet-client-key="
                    + Files.writeString(directory.resolve("own.key"), own.keyPem())));
    kubectl = new Kubectl(server.kubeconfigFile(), Files.createDirectory(directory.resolve("h")));
    create(
        """
        apiVersion: v1
        kind: Node
        metadata: {name: n1}
        status:
          addresses: [{type: InternalIP, address: 127.0.0.1}]
          daemonEndpoints: {kubeletEndpoint: {Port: %d}}
        ---
        apiVersion: v1
        kind: ServiceAccount
        metadata: {name: runner}
        ---
        apiVersion: v1
        kind: Service
        metadata: {name: s}
        spec: {ports: [{name: web, port: 80, targetPort: 8080}]}
        ---
        apiVersion: discovery.k8s.io/v1
        kind: EndpointSlice
        metadata: {name: s-1, labels: {kubernetes.io/service-name: s}}
        addressType: IPv4
        ports: [{name: web, port: %d}]
        endpoints:
        - addresses: [%s]
          conditions: {ready: true}
          targetRef: {kind: Pod, namespace: default, name: p}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRole
        metadata: {name: reader}
        rules:
        - {apiGroups: [""], resources: [pods/exec, pods/proxy, nodes/metrics], verbs: [get]}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRoleBinding
        metadata: {name: reader}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader}
        subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: ann}]
        """
            .formatted(kubelet.port(), pod.getAddress().getPort(), address.get().getHostAddress()));
    create(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p}
        spec: {nodeName: n1, serviceAccountName: runner, containers: [{name: c, image: i}]}
        """);
    String patched =
        kubectl.run(
            "patch",
            "pod",
            "p",
            "--subresource=status",
            "-p",
            "{\"status\":{\"phase\":\"Running\",\"podIP\":\"%1$s\",\"podIPs\":[{\"ip\":\"%1$s\"}]}}"
                .formatted(address.get().getHostAddress()));
    assertThat(patched).contains("patched");
  }

  private void create(String yaml) {
    assertThat(kubectl.runWithInput(yaml, "create", "-f", "-")).contains("created");
  }

  private static void answer(HttpExchange exchange) throws IOException {
    var headers = new TreeMap<>(exchange.getRequestHeaders());
    headers.keySet().retainAll(Set.of("Authorization", "Cookie", "X-custom", "X-forwarded-uri"));
    byte[] body = exchange.getRequestBody().readAllBytes();
    byte[] text =
        (exchange.getRequestMethod()
                + " "
                + exchange.getRequestURI()
                + " "
                + headers
                + " "
                + new String(body, StandardCharsets.UTF_8))
            .getBytes(StandardCharsets.UTF_8);
    if (exchange.getRequestURI().getPath().equals("/moved")) {
      exchange.getResponseHeaders().add("Location", "/elsewhere");
      exchange.sendResponseHeaders(302, -1);
    } else {
      exchange.sendResponseHeaders(203, text.length);
      exchange.getResponseBody().write(text);
    }
    exchange.close();
  }

  @AfterAll
  void stop() {
    if (server != null) {
      server.close();
      kubelet.close();
      pod.stop(0);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "pods/p:PORT/proxy, /",
    "pods/http:p:PORT/proxy/a%2Fb/, /",
    "services/s:web/proxy/x, /",
    "services/s:80/proxy/x, /",
    "services/http:s:web/proxy/x, /",
  })
  void proxy_passesTheRequest(String path, String suffix) throws Exception {
    String at =
        DEFAULT + path.replace("PORT", Integer.toString(pod.getAddress().getPort())) + suffix;
    try (HttpClient client =
        HttpClient.newBuilder().sslContext(server.kubeconfig().asUser()).build()) {
      HttpResponse<String> got =
          client.send(
              HttpRequest.newBuilder(server.address().resolve(at + "?q=1"))
                  .header("X-Custom", "yes")
                  .header("Cookie", "secret=1")
                  .POST(BodyPublishers.ofString("sent"))
                  .build(),
              BodyHandlers.ofString());

      assertThat(got.statusCode()).isEqualTo(203);
      assertThat(got.body())
          .startsWith("POST /")
          .contains("?q=1 {X-custom=[yes], X-forwarded-uri=[/api/v1/")
          .endsWith(" sent");
    }
  }

  @Test
  void redirect_leadsToTheProxyAgain_andIsNotFollowed() {
    Response got =
        RestClient.administrator(server)
            .request()
            .redirects()
            .follow(false)
            .get(DEFAULT + "services/s:web/proxy/moved");

    assertThat(got.statusCode()).isEqualTo(302);
    assertThat(got.header("Location")).isEqualTo(DEFAULT + "services/s:web/proxy/elsewhere");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "services/none/proxy/|404|services \"none\" not found",
        "services/s:81/proxy/|503|no service port 81 found for service \"s\"",
        "services/ftp:s:80/proxy/|400|invalid service request \"ftp:s:80\"",
        "pods/p:1/proxy/|503|error trying to reach service: dial tcp",
        "pods/a:b:c:d/proxy/|400|invalid pod request \"a:b:c:d\"",
      })
  void errors_areThoseOfKubernetes(String path, int status, String message) {
    Response got = RestClient.administrator(server).get(DEFAULT + path);

    assertThat(got.statusCode()).isEqualTo(status);
    assertThat(got.<String>path("message")).contains(message);
  }

  private Response as(String token, String path) {
    return RestClient.nobody(server).request().header("Authorization", "Bearer " + token).get(path);
  }

  @Test
  void rights_areThoseOfTheSubresource_andCreateForStreams() {
    String port = Integer.toString(pod.getAddress().getPort());
    String proxied = DEFAULT + "pods/p:" + port + "/proxy/x";
    assertThat(as("of-ann", proxied).statusCode()).isEqualTo(203);
    assertThat(as("of-ben", proxied).statusCode()).isEqualTo(403);
    assertThat(as("of-ann", "/api/v1/nodes/n1/proxy/metrics").<String>path("message"))
        .isEqualTo(
            "nodes \"n1\" is forbidden: User \"ann\" cannot get resource \"nodes/proxy\" in API"
                + " group \"\" at the cluster scope");
    Response exec = as("of-ann", DEFAULT + "pods/p/exec?command=ls&stdout=true");
    assertThat(exec.statusCode()).isEqualTo(403);
    assertThat(exec.<String>path("message"))
        .isEqualTo(
            "pods \"p\" is forbidden: User \"ann\" cannot create resource \"pods/exec\" in API"
                + " group \"\" in the namespace \"default\"");
  }

  @Test
  void audit_hasTheStagesOfLongRunningRequests() {
    assertThat(kubectl.run("exec", "p", "--", "echo", "audited")).isEqualTo("audited\n");

    assertEventually(
        () ->
            assertThat(events("pods/p/exec?command=echo&command=audited"))
                .anyMatch(line -> line.contains("\"stage\":\"ResponseStarted\""))
                .anyMatch(line -> line.contains("\"stage\":\"ResponseComplete\""))
                .allMatch(line -> line.contains("\"subresource\":\"exec\""))
                .anyMatch(line -> line.contains("\"code\":101")));
  }

  private List<String> events(String part) {
    try {
      return Files.readAllLines(log).stream()
          .map(line -> line.replace("\\u0026", "&"))
          .filter(line -> line.contains(part))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
