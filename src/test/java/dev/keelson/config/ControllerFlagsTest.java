package dev.keelson.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.config.flag.FlagException;
import dev.keelson.config.option.ControllerOptions;
import dev.keelson.config.option.KeyPairFiles;
import dev.keelson.config.option.SigningOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ControllerFlagsTest {

  private static ControllerOptions options(String... arguments) {
    Flags.Wish wish = new Flags().read(List.of(arguments), Map.of());
    return ((Flags.Wish.Run) wish).options().controllers();
  }

  @Test
  void defaults_areThoseOfTheControllerManager() {
    ControllerOptions defaults = options();

    assertThat(defaults.elect()).isTrue();
    assertThat(defaults.duration()).isEqualTo(Duration.ofSeconds(15));
    assertThat(defaults.renewDeadline()).isEqualTo(Duration.ofSeconds(10));
    assertThat(defaults.retryPeriod()).isEqualTo(Duration.ofSeconds(2));
    assertThat(defaults.names()).contains("deployment-controller", "namespace-controller");
    assertThat(defaults.names())
        .doesNotContain("bootstrap-signer-controller", "token-cleaner-controller");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "* | job-controller | true",
        "*,-job-controller | job-controller | false",
        "*,-job | job-controller | false",
        "-job,* | job-controller | false",
        "-* | job-controller | false",
        "job | job-controller | true",
        "job | cronjob-controller | false",
        "-job,job | job-controller | false",
        "job,-job | job-controller | true",
        "*,tokencleaner | token-cleaner-controller | true",
        "*,-garbagecollector | garbage-collector-controller | false",
        "*,-garbagecollector | namespace-controller | true",
      })
  void controller_isEnabledByItsFirstMention(String text, String name, boolean enabled) {
    assertThat(options("--controllers=" + text).enabled(name)).isEqualTo(enabled);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--controllers=*,-nothing | --controllers: \"nothing\" is not in the list of known"
            + " controllers",
        "--leader-elect-lease-duration=900ms | --leader-elect-lease-duration must be at least 1s",
        "--leader-elect-renew-deadline=15s | --leader-elect-lease-duration must be greater than"
            + " --leader-elect-renew-deadline",
        "--leader-elect-retry-period=9s | --leader-elect-renew-deadline must be greater than 1.2"
            + " times --leader-elect-retry-period",
        "--leader-elect-retry-period=0s | --leader-elect-renew-deadline must be greater than 1.2"
            + " times --leader-elect-retry-period",
        "--horizontal-pod-autoscaler-sync-period=0s | --horizontal-pod-autoscaler-sync-period must"
            + " be greater than 0",
        "--node-monitor-period=0s | --node-monitor-period must be greater than 0",
        "--allocate-node-cidrs | --allocate-node-cidrs needs --cluster-cidr as well",
        "--cidr-allocator-type=CloudAllocator | invalid argument \"CloudAllocator\" for"
            + " \"--cidr-allocator-type\" flag: RangeAllocator is expected, found"
            + " \"CloudAllocator\"",
      })
  void invalidValue_isRefused(String argument, String message) {
    assertThatThrownBy(() -> options(argument))
        .isInstanceOfSatisfying(FlagException.class, e -> assertThat(e.text()).isEqualTo(message));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "10.0.0.0/16 | '' | 10.0.0.0/16-24",
        "10.0.7.9/20 | --node-cidr-mask-size=28 | 10.0.0.0/20-28",
        "fd00::/56 | '' | fd00::/56-64",
        "fd00::/56,10.0.0.0/16 | --node-cidr-mask-size-ipv4=25 | fd00::/56-64 10.0.0.0/16-25",
        "10.0.0.0/8 | --node-cidr-mask-size=24 | 10.0.0.0/8-24",
        "10.0.0.0/7 | '' | --cluster-cidr: the blocks of 10.0.0.0/7 must have a prefix length from"
            + " 7 to 23, not 24",
        "10.0.0.0/25 | '' | --cluster-cidr: the blocks of 10.0.0.0/25 must have a prefix length"
            + " from 25 to 32, not 24",
        "10.0.0.0/16 | --node-cidr-mask-size-ipv4=15 | --node-cidr-mask-size-ipv4: the blocks of"
            + " 10.0.0.0/16 must have a prefix length from 16 to 32, not 15",
        "10.0.0.0/16,11.0.0.0/16 | '' | --cluster-cidr: one range, or one of each IP family, is"
            + " expected",
        "10.0.0.0/16,fd00::/56,11.0.0.0/16 | '' | --cluster-cidr: one range, or one of each IP"
            + " family, is expected",
        "10.0.0.0/16,fd00::/56 | --node-cidr-mask-size=24 | --node-cidr-mask-size is for one range;"
            + " with two, --node-cidr-mask-size-ipv4 and --node-cidr-mask-size-ipv6 are",
        "10.0.0.0/16 | --node-cidr-mask-size-ipv6=64 | --node-cidr-mask-size-ipv6: --cluster-cidr"
            + " has no range of that IP family",
      })
  void blocksOfNodes_fitTheRanges(String ranges, String argument, String expected) {
    List<String> arguments = new ArrayList<>();
    arguments.add("--allocate-node-cidrs");
    arguments.add("--cluster-cidr=" + ranges);
    if (!argument.isEmpty()) {
      arguments.add(argument);
    }
    String told;
    try {
      told =
          options(arguments.toArray(String[]::new)).ipam().ranges().stream()
              .map(range -> range.cidr() + "-" + range.prefixLength())
              .collect(Collectors.joining(" "));
    } catch (FlagException e) {
      told = e.text();
    }

    assertThat(told).isEqualTo(expected);
  }

  @Test
  void tokenPeriod_isAYear() {
    assertThat(options().tokenPeriod()).isEqualTo(Duration.ofDays(365));
    assertThat(options("--legacy-service-account-token-clean-up-period=1h").tokenPeriod())
        .isEqualTo(Duration.ofHours(1));
    assertThatThrownBy(() -> options("--legacy-service-account-token-clean-up-period=0s"))
        .isInstanceOf(FlagException.class)
        .hasMessage("--legacy-service-account-token-clean-up-period must be greater than 0");
  }

  @Test
  void signing_isByTheOwnAuthorityUnlessFilesAreNamed(@TempDir Path directory) throws IOException {
    Path certificate = Files.createFile(directory.resolve("ca.crt"));
    Path key = Files.createFile(directory.resolve("ca.key"));
    KeyPairFiles files = new KeyPairFiles(certificate, key);

    assertThat(options().signing())
        .isEqualTo(new SigningOptions(null, Map.of(), Duration.ofDays(365)));
    assertThat(
            options(
                    "--cluster-signing-cert-file=" + certificate,
                    "--cluster-signing-key-file=" + key,
                    "--cluster-signing-duration=1h")
                .signing())
        .isEqualTo(new SigningOptions(files, Map.of(), Duration.ofHours(1)));
    assertThat(
            options(
                    "--cluster-signing-kubelet-client-cert-file=" + certificate,
                    "--cluster-signing-kubelet-client-key-file=" + key)
                .signing()
                .signers())
        .isEqualTo(Map.of("kubernetes.io/kube-apiserver-client-kubelet", files));
    assertThatThrownBy(() -> options("--cluster-signing-cert-file=" + certificate))
        .isInstanceOf(FlagException.class)
        .hasMessage("--cluster-signing-cert-file needs --cluster-signing-key-file as well");
    assertThatThrownBy(() -> options("--cluster-signing-duration=0s"))
        .hasMessage("--cluster-signing-duration must be greater than 0");
    assertThatThrownBy(
            () ->
                options(
                    "--cluster-signing-cert-file=" + certificate,
                    "--cluster-signing-key-file=" + key,
                    "--cluster-signing-legacy-unknown-cert-file=" + certificate,
                    "--cluster-signing-legacy-unknown-key-file=" + key))
        .hasMessage(
            "--cluster-signing-legacy-unknown-cert-file cannot be used with"
                + " --cluster-signing-cert-file");
  }
}
