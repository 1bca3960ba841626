package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.EtcdProcess;
import dev.keelson.testing.Eventually;
import dev.keelson.testing.FreePort;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.KubeadmPki;
import dev.keelson.testing.Kubectl;
import dev.keelson.testing.TestCertificates;
import dev.keelson.testing.TestIdentity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * The static pod that kubeadm writes for kube-apiserver starts Keelson: its command line and the
 * files that it mounts, on an etcd with TLS and client certificates.
 */
@Timeout(300)
class KubeadmManifestIT {

  private static final Path MANIFEST =
      Path.of("src", "test", "resources", "kubeadm", "kube-apiserver.yaml");
  private static final String MOUNTED = "/etc/kubernetes/pki";

  @TempDir private static Path home;

  private static EtcdProcess etcd;
  private static KeelsonProcess server;
  private static KubeadmPki pki;
  private static String url = "";

  @BeforeAll
  static void start() throws IOException {
    String advertised = address();
    int port = FreePort.find();
    Path directory = Files.createDirectories(home.resolve("pki"));
    TestCertificates ofEtcd =
        TestCertificates.in(Files.createDirectories(home.resolve("etcd-pki")));
    etcd = EtcdProcess.create(ofEtcd).start();
    pki = KubeadmPki.in(directory, advertised);
    pki.etcd(ofEtcd);
    List<String> arguments = new ArrayList<>();
    for (String argument : command()) {
      arguments.add(
          argument
              .replace("ADVERTISED", advertised)
              .replace(MOUNTED, directory.toString())
              .replace("https://127.0.0.1:2379", etcd.endpoint().toString())
              .replace("--secure-port=6443", "--secure-port=" + port));
    }
    server = KeelsonProcess.start(home.resolve("data"), arguments);
    url = "https://" + advertised + ":" + port;
  }

  @AfterAll
  static void stop() {
    server.close();
    etcd.close();
  }

  /** The arguments of the container, without the program. */
  private static List<String> command() throws IOException {
    Object pod =
        new Load(LoadSettings.builder().build()).loadFromString(Files.readString(MANIFEST));
    Map<?, ?> spec = (Map<?, ?>) at(pod, "spec");
    Map<?, ?> container = (Map<?, ?>) ((List<?>) at(spec, "containers")).getFirst();
    List<String> command =
        ((List<?>) at(container, "command")).stream().map(String::valueOf).toList();
    assertThat(command).hasSize(28).startsWith("kube-apiserver");
    return command.subList(1, command.size());
  }

  private static Object at(Object map, String key) {
    return Objects.requireNonNull(((Map<?, ?>) map).get(key), key);
  }

  /** An address of this machine that is no loopback address, if it has one. */
  private static String address() throws IOException {
    for (NetworkInterface network : NetworkInterface.networkInterfaces().toList()) {
      for (InetAddress each : network.inetAddresses().toList()) {
        if (each instanceof Inet4Address && !each.isLoopbackAddress() && network.isUp()) {
          return each.getHostAddress();
        }
      }
    }
    return "127.0.0.1";
  }

  private static Kubectl kubectl(String user, String group) {
    return new Kubectl(pki.kubeconfig(user, group, url), home);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/livez", "/readyz"})
  void probeOfTheKubelet_succeeds(String path) {
    try (HttpClient client =
        HttpClient.newBuilder().sslContext(TestIdentity.nobody(pki.authority())).build()) {
      Eventually.assertEventually(() -> assertThat(get(client, path)).isEqualTo("ok"));
    }
  }

  private static String get(HttpClient client, String path) {
    try {
      return client
          .send(HttpRequest.newBuilder(URI.create(url + path)).build(), BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  @Test
  void administrators_workAsSoonAsKubeadmHasBoundTheirGroup() {
    Kubectl master = kubectl("kubernetes-super-admin", "system:masters");
    Kubectl admin = kubectl("kubernetes-admin", "kubeadm:cluster-admins");

    assertThat(admin.attempt("", "get", "nodes").err())
        .contains(
            "nodes is forbidden: User \"kubernetes-admin\" cannot list resource \"nodes\" in API"
                + " group \"\" at the cluster scope");
    assertThat(
            master.run(
                "create",
                "clusterrolebinding",
                "kubeadm:cluster-admins",
                "--clusterrole=cluster-admin",
                "--group=kubeadm:cluster-admins"))
        .isEqualTo("clusterrolebinding.rbac.authorization.k8s.io/kubeadm:cluster-admins created\n");
    Eventually.assertEventually(
        () -> assertThat(admin.attempt("", "get", "nodes").exitCode()).isZero());

    assertThat(admin.run("create", "configmap", "kubeadm-config", "-n", "kube-system"))
        .isEqualTo("configmap/kubeadm-config created\n");
    assertThat(
            admin.runWithInput(
                """
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"proxy"},"spec":{"containers":[
                 {"name":"a","image":"i","securityContext":{"privileged":true}}]}}
                """,
                "apply",
                "-f",
                "-"))
        .isEqualTo("pod/proxy created\n");
    assertThat(admin.run("get", "service", "kubernetes", "-o", "jsonpath={.spec.clusterIP}"))
        .isEqualTo("10.96.0.1");
    assertThat(
            admin.run(
                "get", "endpoints", "kubernetes", "-o", "jsonpath={.subsets[0].addresses[0].ip}"))
        .isEqualTo(URI.create(url).getHost());
    assertThat(
            admin.run(
                "get",
                "configmap",
                "extension-apiserver-authentication",
                "-n",
                "kube-system",
                "-o",
                "jsonpath={.data.requestheader-allowed-names}"))
        .isEqualTo("[\"front-proxy-client\"]");
  }

  @Test
  void tokensOfServiceAccounts_areSignedWithTheKeyOfTheManifest() {
    Kubectl master = kubectl("super-admin-2", "system:masters");
    Eventually.assertEventually(
        () -> assertThat(master.attempt("", "create", "token", "default").exitCode()).isZero());
    String token = master.run("create", "token", "default").strip();

    assertThat(
            new Kubectl(withoutUser(), home)
                .run(
                    "auth",
                    "whoami",
                    "--token=" + token,
                    "-o",
                    "jsonpath={.status.userInfo.username}"))
        .isEqualTo("system:serviceaccount:default:default");
  }

  private static Path withoutUser() {
    try {
      String text = Files.readString(pki.kubeconfig("nobody", "nobodies", url));
      return Files.writeString(
          home.resolve("nobody.conf"),
          text.substring(0, text.indexOf("users:")).replaceAll("    user: .*\n", ""));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void start_warnsOfNoFlag() {
    assertThat(server.log()).isNotEmpty().doesNotContain("Warning: ", "Error");
  }
}
