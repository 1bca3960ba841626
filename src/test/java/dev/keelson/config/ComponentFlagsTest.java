package dev.keelson.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.authz.AuthorizationOptions;
import dev.keelson.config.component.ComponentFlags;
import dev.keelson.config.flag.CommandWish;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.option.ComponentOptions;
import dev.keelson.config.option.ComponentOptions.Component;
import dev.keelson.config.option.ComponentServing;
import dev.keelson.config.option.DelegatedAuthentication;
import dev.keelson.config.option.KeyPairFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The flags of {@code keelson controllers} and {@code keelson scheduler}. */
final class ComponentFlagsTest {

  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void write() throws IOException {
    file = Files.writeString(directory.resolve("kubeconfig"), "{}");
  }

  private ComponentOptions options(Component component, String... arguments) {
    List<String> all = new ArrayList<>(List.of("--kubeconfig=" + file));
    all.addAll(List.of(arguments));
    return ((CommandWish.Run<ComponentOptions>) new ComponentFlags(component).read(all, Map.of()))
        .options();
  }

  @Test
  void defaults_areThoseOfKubernetes() {
    ComponentOptions controllers = options(Component.CONTROLLERS);
    ComponentOptions scheduler = options(Component.SCHEDULER);

    assertThat(controllers.requestsPerSecond()).isEqualTo(20);
    assertThat(controllers.burst()).isEqualTo(30);
    assertThat(controllers.accountCredentials()).isFalse();
    assertThat(controllers.verbosity()).isZero();
    assertThat(controllers.leaseNamespace()).isEqualTo("kube-system");
    assertThat(controllers.leaseName()).isEqualTo("kube-controller-manager");
    assertThat(controllers.controllers().elect()).isTrue();
    assertThat(controllers.controllers().duration()).isEqualTo(Duration.ofSeconds(15));
    assertThat(controllers.controllers().renewDeadline()).isEqualTo(Duration.ofSeconds(10));
    assertThat(controllers.controllers().retryPeriod()).isEqualTo(Duration.ofSeconds(2));
    assertThat(controllers.controllers().tokenPeriod()).isEqualTo(Duration.ofDays(365));
    assertThat(controllers.controllers().signing().duration()).isEqualTo(Duration.ofDays(365));
    assertThat(controllers.controllers().names()).contains("deployment-controller");
    assertThat(controllers.serving().bindAddress()).isEqualTo(InetAddress.ofLiteral("0.0.0.0"));
    assertThat(controllers.rootAuthorities()).isNull();
    assertThat(controllers.serving().port()).isEqualTo(10257);
    assertThat(controllers.serving().given()).isNull();
    assertThat(controllers.serving().authentication()).isNull();
    assertThat(controllers.serving().authorization()).isNull();
    assertThat(controllers.serving().openPaths()).containsExactly("/healthz", "/readyz", "/livez");
    assertThat(scheduler.serving().port()).isEqualTo(10259);
    assertThat(scheduler.requestsPerSecond()).isEqualTo(50);
    assertThat(scheduler.burst()).isEqualTo(100);
    assertThat(scheduler.leaseName()).isEqualTo("kube-scheduler");
  }

  @Test
  void flags_areMapped() {
    ComponentOptions given =
        options(
            Component.CONTROLLERS,
            "--kube-api-qps=0.5",
            "--kube-api-burst=7",
            "--use-service-account-credentials",
            "-v4",
            "--controllers=*,-job",
            "--root-ca-file=" + file,
            "--legacy-service-account-token-clean-up-period=1h",
            "--cluster-signing-duration=2h",
            "--leader-elect=false",
            "--leader-elect-lease-duration=30s",
            "--leader-elect-renew-deadline=20s",
            "--leader-elect-retry-period=3s",
            "--leader-elect-resource-lock=leases",
            "--leader-elect-resource-name=mine",
            "--leader-elect-resource-namespace=here");

    assertThat(given.kubeconfig()).isEqualTo(file);
    assertThat(given.requestsPerSecond()).isEqualTo(0.5);
    assertThat(given.burst()).isEqualTo(7);
    assertThat(given.accountCredentials()).isTrue();
    assertThat(given.verbosity()).isEqualTo(4);
    assertThat(given.controllers().enabled("job-controller")).isFalse();
    assertThat(given.controllers().enabled("cronjob-controller")).isTrue();
    assertThat(given.controllers().tokenPeriod()).isEqualTo(Duration.ofHours(1));
    assertThat(given.controllers().signing().duration()).isEqualTo(Duration.ofHours(2));
    assertThat(given.controllers().elect()).isFalse();
    assertThat(given.controllers().duration()).isEqualTo(Duration.ofSeconds(30));
    assertThat(given.controllers().renewDeadline()).isEqualTo(Duration.ofSeconds(20));
    assertThat(given.controllers().retryPeriod()).isEqualTo(Duration.ofSeconds(3));
    assertThat(given.rootAuthorities()).isEqualTo(file);
    assertThat(given.leaseName()).isEqualTo("mine");
    assertThat(given.leaseNamespace()).isEqualTo("here");
  }

  @Test
  void migrator_needsItsFeature() {
    String name = "storage-version-migrator-controller";

    assertThat(options(Component.CONTROLLERS).controllers().enabled(name)).isFalse();
    assertThat(options(Component.CONTROLLERS, "--controllers=" + name).controllers().enabled(name))
        .isFalse();
    assertThat(
            options(Component.CONTROLLERS, "--feature-gates=StorageVersionMigrator=true")
                .controllers()
                .enabled(name))
        .isTrue();
  }

  @Test
  void collectorOfStorageVersions_needsItsFeature() {
    String name = "storageversion-garbage-collector-controller";

    assertThat(options(Component.CONTROLLERS).controllers().enabled(name)).isFalse();
    assertThat(options(Component.CONTROLLERS, "--controllers=" + name).controllers().enabled(name))
        .isFalse();
    assertThat(
            options(Component.CONTROLLERS, "--feature-gates=StorageVersionAPI=true")
                .controllers()
                .enabled(name))
        .isTrue();
  }

  @Test
  void autoscalersToZero_needTheirFeature() {
    assertThat(options(Component.CONTROLLERS).controllers().autoscaler().scaleToZero()).isFalse();
    assertThat(
            options(Component.CONTROLLERS, "--feature-gates=HPAScaleToZero=true")
                .controllers()
                .autoscaler()
                .scaleToZero())
        .isTrue();
  }

  @Test
  void servingFlags_areMapped() {
    ComponentOptions given =
        options(
            Component.CONTROLLERS,
            "--bind-address=127.0.0.1",
            "--secure-port=0",
            "--tls-cert-file=" + file,
            "--tls-private-key-file=" + file,
            "--authentication-kubeconfig=" + file,
            "--authentication-skip-lookup",
            "--authentication-tolerate-lookup-failure",
            "--authentication-token-webhook-cache-ttl=1s",
            "--authorization-kubeconfig=" + file,
            "--authorization-webhook-cache-authorized-ttl=2s",
            "--authorization-webhook-cache-unauthorized-ttl=3s",
            "--authorization-always-allow-paths=/a,/b*");

    assertThat(given.serving())
        .isEqualTo(
            new ComponentServing(
                InetAddress.ofLiteral("127.0.0.1"),
                0,
                new KeyPairFiles(file, file),
                new DelegatedAuthentication(file, true, true, Duration.ofSeconds(1), List.of()),
                new AuthorizationOptions.Webhook(
                    file, "v1", Duration.ofSeconds(2), Duration.ofSeconds(3)),
                List.of("/a", "/b*")));
    assertThat(
            options(Component.SCHEDULER, "--authentication-kubeconfig=" + file)
                .serving()
                .authentication())
        .isEqualTo(
            new DelegatedAuthentication(file, false, true, Duration.ofSeconds(10), List.of()));
  }

  @Test
  void ratesOfZero_areThoseOfClientGo() {
    ComponentOptions given =
        options(Component.CONTROLLERS, "--kube-api-qps=0", "--kube-api-burst=0");

    assertThat(given.requestsPerSecond()).isEqualTo(5);
    assertThat(given.burst()).isEqualTo(10);
  }

  @Test
  void conflicts_areNamed() {
    assertFails("--kubeconfig=", "--kubeconfig is required");
    assertFails("--kubeconfig=/none", "--kubeconfig: file /none does not exist");
    assertFails("--kube-api-burst=0", "--kube-api-burst must be greater than 0");
    assertFails("--leader-elect-resource-lock=endpoints", "leases is expected");
    assertFails("--leader-elect-renew-deadline=15s", "must be greater than");
    assertFails("--controllers=nonsense", "is not in the list of known controllers");
    assertFails("--secure-prt=1", "unknown flag: --secure-prt");
    assertFails("--tls-cert-file=" + file, "--tls-cert-file needs --tls-private-key-file");
    assertFails("--data-dir=x", "unknown flag: --data-dir");
    assertFails("--etcd-cafile=x", "unknown flag: --etcd-cafile");
  }

  private void assertFails(String flag, String message) {
    assertThatThrownBy(() -> options(Component.CONTROLLERS, flag))
        .isInstanceOfSatisfying(FlagException.class, e -> assertThat(e.text()).contains(message));
  }

  @Test
  void variables_ofOwnFlagsCount_andThoseOfTheServerDoNot() {
    Map<String, String> variables =
        Map.of("KEELSON_KUBECONFIG", file.toString(), "KEELSON_DATA_DIR", "/data");

    CommandWish<ComponentOptions> wish =
        new ComponentFlags(Component.SCHEDULER).read(List.of(), variables);

    assertThat(((CommandWish.Run<ComponentOptions>) wish).options().kubeconfig()).isEqualTo(file);
  }

  @ParameterizedTest
  @EnumSource
  void help_hasEachFlag(Component component) {
    ComponentFlags flags = new ComponentFlags(component);

    CommandWish<ComponentOptions> wish = flags.read(List.of("--help"), Map.of());

    String text = ((CommandWish.Help<ComponentOptions>) wish).text();
    assertThat(text).contains("keelson " + component.command() + " [flags]");
    assertThat(flags.groups())
        .flatExtracting(group -> group.flags())
        .extracting(Flag::dashed)
        .allSatisfy(name -> assertThat(text).contains(name));
    assertThat(flags.read(List.of("--version=raw"), Map.of()))
        .isEqualTo(new CommandWish.Version<ComponentOptions>(true));
  }
}
