package dev.keelson.server.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.plugin.PluginConfiguration;
import dev.keelson.admission.plugin.PluginName;
import dev.keelson.admission.plugin.PluginOptions;
import dev.keelson.admission.podsecurity.PodSecurityMetrics;
import dev.keelson.api.ApiException;
import dev.keelson.api.Verb;
import dev.keelson.authz.AlwaysAuthorizer;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.server.identity.KubeconfigReviews;
import dev.keelson.server.lifecycle.FileReloader;
import dev.keelson.server.lifecycle.StartupException;
import dev.keelson.testing.AdmissionCalls;
import dev.keelson.testing.KnownObjects;
import dev.keelson.testing.ManualClock;
import dev.keelson.testing.TreeJson;
import dev.keelson.testing.WebhookServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** ImagePolicyWebhook with a real HTTPS server. */
@Timeout(60)
class ImagePolicyTest {

  private final FileReloader files = new FileReloader();
  private final ManualClock clock = new ManualClock();
  private final AdmissionCalls calls = new AdmissionCalls();
  private final List<MapNode> reviews = new CopyOnWriteArrayList<>();
  private final WebhookServer webhook =
      new WebhookServer("localhost", (exchange, body) -> answer(exchange, body));
  private volatile String status = "{'allowed':true}";
  private volatile int code = 200;
  private Path directory;

  private void answer(HttpExchange exchange, byte[] body) throws IOException {
    reviews.add((MapNode) TreeJson.read(body));
    WebhookServer.respond(
        exchange,
        code,
        ("{'apiVersion':'imagepolicy.k8s.io/v1alpha1','kind':'ImageReview','status':"
                + status
                + "}")
            .replace('\'', '"'));
  }

  @BeforeEach
  void writeKubeconfig(@TempDir Path home) throws IOException {
    directory = home;
    String authority =
        Base64.getEncoder().encodeToString(webhook.pem().getBytes(StandardCharsets.US_ASCII));
    Files.writeString(
        home.resolve("images.kubeconfig"),
        """
        apiVersion: v1
        kind: Config
        current-context: c
        contexts: [{name: c, context: {cluster: c, user: ""}}]
        clusters:
        - name: c
          cluster: {server: "%s", certificate-authority-data: %s}
        """
            .formatted(webhook.url(), authority));
  }

  @AfterEach
  void close() {
    webhook.close();
    files.close();
  }

  private Admission plugin(String config) {
    PluginOptions options =
        new PluginOptions(EnumSet.of(PluginName.IMAGE_POLICY_WEBHOOK), 300, 300)
            .with(
                Map.of(
                    PluginName.IMAGE_POLICY_WEBHOOK,
                    new PluginConfiguration(AdmissionCalls.tree(config), directory)));
    return Objects.requireNonNull(
        new ConfiguredPlugins(
                options,
                new KnownObjects(),
                AlwaysAuthorizer.ALWAYS_ALLOW,
                new ResourceCatalog(List.of()),
                clock,
                path -> KubeconfigReviews.of(files, "--admission-control-config-file", path))
            .create(PodSecurityMetrics.NONE)
            .get(PluginName.IMAGE_POLICY_WEBHOOK));
  }

  private static String config(String more) {
    return "{'imagePolicy':{'kubeConfigFile':'images.kubeconfig'" + more + "}}";
  }

  private AdmissionAttributes pod(String image) {
    return calls.create(
        "v1",
        "pods",
        AdmissionCalls.object(
            "v1",
            "pods",
            "{'metadata':{'name':'p','namespace':'n','annotations':{'a.image-policy.k8s.io/b':'x','other':'y'}},'spec':{'containers':[{'name':'c','image':'%s'}],'initContainers':[{'name':'i','image':'init'}]}}"
                .formatted(image)));
  }

  @Test
  void webhook_isAskedOnceForTheSameImages() {
    Admission plugin = plugin(config(",'allowTTL':60"));

    plugin.validate(pod("one"));
    plugin.validate(pod("one"));
    assertThat(reviews).hasSize(1);
    assertThat(reviews.getFirst().text("kind")).isEqualTo("ImageReview");
    assertThat(reviews.getFirst().map("spec"))
        .isEqualTo(
            AdmissionCalls.tree(
                "{'containers':[{'image':'one'},{'image':'init'}],'annotations':{'a.image-policy.k8s.io/b':'x'},'namespace':'n'}"));
    plugin.validate(pod("two"));
    clock.advance(Duration.ofSeconds(61));
    plugin.validate(pod("one"));
    assertThat(reviews).hasSize(3);
  }

  @Test
  void denial_isToldWithItsReason() {
    Admission plugin = plugin(config(""));
    status = "{'allowed':false,'reason':'too old'}";

    assertThatThrownBy(() -> plugin.validate(pod("one")))
        .isInstanceOf(ApiException.class)
        .hasMessage(
            "pods \"p\" is forbidden: image policy webhook backend denied one or more images: too"
                + " old");
    status = "{'allowed':false}";
    assertThatThrownBy(() -> plugin.validate(pod("two")))
        .hasMessage("pods \"p\" is forbidden: one or more images rejected by webhook backend");
  }

  @Test
  void debugContainers_areReviewedAlone() {
    Admission plugin = plugin(config(""));
    var debug =
        AdmissionCalls.object(
            "v1",
            "pods",
            "{'metadata':{'name':'p','namespace':'n'},'spec':{'containers':[{'image':'a'}],'ephemeralContainers':[{'name':'d','image':'debug'}]}}");

    plugin.validate(calls.call(Verb.UPDATE, "v1", "pods", "ephemeralcontainers", debug, debug));

    assertThat(reviews.getFirst().map("spec").maps("containers"))
        .containsExactly(AdmissionCalls.tree("{'image':'debug'}"));
  }

  @Test
  void failure_followsTheConfiguration() {
    code = 404;

    assertThatThrownBy(() -> plugin(config("")).validate(pod("one")))
        .isInstanceOf(ApiException.class)
        .hasMessageStartingWith("pods \"p\" is forbidden: ");
    plugin(config(",'defaultAllow':true")).validate(pod("one"));
  }

  @Test
  void configuration_thatIsInvalid_endsTheStart() {
    assertThatThrownBy(() -> plugin(config(",'allowTTL':3600")))
        .isInstanceOf(StartupException.class)
        .hasMessage(
            "couldn't init admission plugin \"ImagePolicyWebhook\": valid value is between 1s and"
                + " 30m0s, got 1h0m0s");
    assertThatThrownBy(() -> plugin("{}"))
        .hasMessageContaining("imagePolicy.kubeConfigFile is required");
  }
}
