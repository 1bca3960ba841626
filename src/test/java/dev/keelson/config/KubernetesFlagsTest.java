package dev.keelson.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.keelson.api.Feature;
import dev.keelson.api.FeatureGates;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.kubernetes.KubernetesFlag;
import dev.keelson.config.kubernetes.KubernetesFlag.State;
import dev.keelson.config.kubernetes.KubernetesFlags;
import dev.keelson.config.kubernetes.KubernetesGates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A command line of kube-apiserver 1.36: which flags work, are accepted, or are refused. */
class KubernetesFlagsTest {

  private static final Path LIST =
      Path.of("src", "test", "resources", "flags", "kube-apiserver-1.36.txt");

  private static final Path GATES =
      Path.of("src", "test", "resources", "flags", "feature-gates-1.36.txt");

  private static final List<String> OF_THE_PARSER = List.of("help", "version");

  private static Map<String, String> types() throws IOException {
    Map<String, String> types = new TreeMap<>();
    for (String line : listed(LIST)) {
      int space = line.indexOf(' ');
      types.put(line.substring(0, space), line.substring(space + 1));
    }
    return types;
  }

  private static List<String> listed(Path file) throws IOException {
    return Files.readAllLines(file).stream().filter(line -> !line.startsWith("#")).toList();
  }

  /** The names of all flags of kube-apiserver. */
  static Set<String> names() throws IOException {
    return types().keySet();
  }

  private static Map<String, Flag<?>> working() {
    return new Flags().all().stream().collect(Collectors.toMap(Flag::name, flag -> flag));
  }

  private static Map<String, KubernetesFlag> others() {
    return new KubernetesFlags()
        .all().stream().collect(Collectors.toMap(KubernetesFlag::name, flag -> flag));
  }

  @Test
  void everyFlagOfKubernetes_isKnownOnce() throws IOException {
    Set<String> known = new TreeSet<>(working().keySet());
    known.addAll(OF_THE_PARSER);
    assertThat(known).doesNotContainAnyElementsOf(others().keySet());
    known.addAll(others().keySet());

    assertThat(known).containsAll(names());
    assertThat(names()).containsAll(others().keySet());
  }

  @Test
  void switches_areTheBooleansOfKubernetes() throws IOException {
    types()
        .forEach(
            (name, type) -> {
              Flag<?> own = working().get(name);
              KubernetesFlag other = others().get(name);
              Flag.@Nullable Shape shape =
                  own != null ? own.shape() : other != null ? other.kind().shape() : null;
              if (shape != null) {
                assertThat(shape == Flag.Shape.SWITCH).as(name).isEqualTo(type.equals("bool"));
              }
            });
  }

  @Test
  void documentedTable_hasEveryFlagWithItsState() throws IOException {
    String document = Files.readString(Path.of("docs", "flags.md"));

    for (String name : types().keySet()) {
      KubernetesFlag other = others().get(name);
      String state =
          other == null ? "works" : other.state() == State.REFUSED ? "refused" : "accepted";
      assertThat(document).contains("\n| `--" + name + "` | " + state + " | ");
    }
  }

  static Stream<KubernetesFlag> kubernetes() {
    return new KubernetesFlags().all().stream();
  }

  @ParameterizedTest
  @MethodSource("kubernetes")
  void flagWithoutEffect_isToldOnceOrRefused(KubernetesFlag flag) {
    String value =
        switch (flag.kind()) {
          case BOOL -> flag.neutral().contains("true") ? "false" : "true";
          case INT -> "7";
          case DURATION -> "7s";
          case STRING, STRINGS -> "given";
        };
    String argument = flag.dashed() + "=" + value;
    String text = flag.dashed() + " " + flag.meaning();

    if (flag.state() == State.REFUSED) {
      assertThatThrownBy(() -> run(argument)).isInstanceOf(FlagException.class).hasMessage(text);
    } else {
      assertThat(run(argument, argument).warnings()).containsExactly(text);
    }
  }

  @ParameterizedTest
  @MethodSource("kubernetes")
  void flagThatSaysWhatIsTheCase_isAcceptedWithoutAWord(KubernetesFlag flag) {
    for (String neutral : flag.neutral()) {
      assertThat(run(flag.dashed() + "=" + neutral).warnings()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--goaway-chance=x | invalid argument \"x\" for \"--goaway-chance\" flag:"
            + " strconv.ParseFloat: parsing \"x\": invalid syntax",
        "--goaway-chance=0.021 | --goaway-chance can not be less than 0 or greater than 0.02",
        "--min-request-timeout=-1 | invalid argument \"-1\" for \"--min-request-timeout\" flag:"
            + " --min-request-timeout can not be negative value",
        "--max-requests-inflight=-1 | invalid argument \"-1\" for \"--max-requests-inflight\" flag:"
            + " --max-requests-inflight can not be negative value",
        "--request-timeout=-2m | invalid argument \"-2m\" for \"--request-timeout\" flag:"
            + " --request-timeout can not be negative value",
        "--shutdown-delay-duration=-1s | invalid argument \"-1s\" for \"--shutdown-delay-duration\""
            + " flag: --shutdown-delay-duration can not be negative value",
        "--shutdown-watch-termination-grace-period=-1s | invalid argument \"-1s\" for"
            + " \"--shutdown-watch-termination-grace-period\" flag:"
            + " shutdown-watch-termination-grace-period, if provided, can not be a negative value",
        "--strict-transport-security-directives=fakevalue | invalid argument \"fakevalue\" for"
            + " \"--strict-transport-security-directives\" flag:"
            + " --strict-transport-security-directives invalid, allowed values: max-age=expireTime,"
            + " includeSubDomains, preload. see https://tools.ietf.org/html/rfc6797#section-6.1 for"
            + " more information",
        "--cors-allowed-origins=^http://foo.com$, | invalid argument \"^http://foo.com$,\" for"
            + " \"--cors-allowed-origins\" flag: empty value in --cors-allowed-origins",
        "--tls-sni-cert-key=a,b: | invalid argument \"a,b:\" for \"--tls-sni-cert-key\" flag:"
            + " empty names list is not allowed",
        "--tls-sni-cert-key=a:x | invalid argument \"a:x\" for \"--tls-sni-cert-key\" flag:"
            + " expected comma separated certificate and key file paths",
        "--service-account-issuer=http://foo.bar.com,http://foo.bar.com | --service-account-issuer"
            + " \"http://foo.bar.com\" is already specified",
        "--service-account-issuer=http://[::1]:namedport | invalid argument"
            + " \"http://[::1]:namedport\" for \"--service-account-issuer\" flag:"
            + " service-account-issuer \"http://[::1]:namedport\" contained a ':' but was not a"
            + " valid URL: Illegal character in port number at index 13: http://[::1]:namedport",
        "--service-account-jwks-uri=http://baz.com | invalid argument \"http://baz.com\" for"
            + " \"--service-account-jwks-uri\" flag: service-account-jwks-uri requires https scheme,"
            + " parsed as: http://baz.com",
        "--service-account-jwks-uri=https://host:port | invalid argument \"https://host:port\" for"
            + " \"--service-account-jwks-uri\" flag: service-account-jwks-uri must be a valid URL:"
            + " Illegal character in port number at index 13: https://host:port",
        "--goaway-chance=-0.1 | --goaway-chance can not be less than 0 or greater than 0.02",
        "--contention-profiling=maybe | invalid argument \"maybe\" for \"--contention-profiling\" flag:"
            + " strconv.ParseBool: parsing \"maybe\": invalid syntax",
        "--livez-grace-period=7 | invalid argument \"7\" for \"--livez-grace-period\" flag:"
            + " time: invalid duration \"7\"",
        "--storage-backend=etcd2 | --storage-backend invalid, allowed values: etcd3. If not"
            + " specified, it will default to 'etcd3'",
        "--v=loud | invalid argument \"loud\" for \"-v, --v\" flag: strconv.ParseInt: parsing"
            + " \"loud\": invalid syntax",
        "-x | unknown shorthand flag: 'x' in -x",
        "-v | flag needs an argument: 'v' in -v",
        "--=x | bad flag syntax: --=x",
        "---x | bad flag syntax: ---x",
        "--version=1.2 | invalid argument \"1.2\" for \"--version\" flag: true, false or raw is"
            + " expected, found \"1.2\"",
        "--feature-gates=Nope=true | invalid argument \"Nope=true\" for \"--feature-gates\" flag:"
            + " unrecognized feature gate: Nope",
        "--feature-gates=kube:WatchList=no | invalid argument \"kube:WatchList=no\" for"
            + " \"--feature-gates\" flag: invalid value of WatchList=no, err: strconv.ParseBool:"
            + " parsing \"no\": invalid syntax",
        "--feature-gates=SidecarContainers=false | invalid argument \"SidecarContainers=false\" for"
            + " \"--feature-gates\" flag: cannot set feature gate SidecarContainers to false,"
            + " feature is locked to true",
        "--feature-gates=other:A=true | invalid argument \"other:A=true\" for \"--feature-gates\""
            + " flag: component not registered: other",
        "--feature-gates=GracefulNodeShutdown=false | --feature-gates:"
            + " GracefulNodeShutdownBasedOnPodPriority is enabled, but depends on features that are"
            + " disabled: [GracefulNodeShutdown]; WindowsGracefulNodeShutdown is enabled, but"
            + " depends on features that are disabled: [GracefulNodeShutdown]",
        "--feature-gates=ClusterTrustBundleProjection=true | --feature-gates:"
            + " ClusterTrustBundleProjection is enabled, but depends on features that are disabled:"
            + " [ClusterTrustBundle]",
        "--feature-gates=WorkloadAwarePreemption=true | --feature-gates: WorkloadAwarePreemption is"
            + " enabled, but depends on features that are disabled: [GangScheduling]",
        "--feature-gates=TopologyAwareWorkloadScheduling=true | --feature-gates:"
            + " TopologyAwareWorkloadScheduling is enabled, but depends on features that are"
            + " disabled: [GenericWorkload]",
        "--feature-gates=WorkloadWithJob=true | --feature-gates: WorkloadWithJob is enabled, but"
            + " depends on features that are disabled: [GenericWorkload]",
        "--feature-gates=GangScheduling=true,WorkloadAwarePreemption=true | --feature-gates:"
            + " GangScheduling is enabled, but depends on features that are disabled:"
            + " [GenericWorkload]",
        "--feature-gates=ResourceHealthStatus=false | --feature-gates: ResourceHealthStatusMessage"
            + " is enabled, but depends on features that are disabled: [ResourceHealthStatus]",
        "--feature-gates=AllAlpha=true,AllBeta=false | --feature-gates: PodLevelResourceManagers"
            + " is enabled, but depends on features that are disabled: [PodLevelResources];"
            + " StorageVersionAPI is enabled, but depends on features that are disabled:"
            + " [APIServerIdentity]; UserNamespacesHostNetworkSupport is enabled, but depends on"
            + " features that are disabled: [NodeDeclaredFeatures]",
        "--show-hidden-metrics-for-version=1.36 | --show-hidden-metrics-for-version must be omitted"
            + " or have the value '1.35'. Only the previous minor version is allowed",
        "--runtime-config=nope/v1=true | --runtime-config: unknown api groups nope",
        "--runtime-config=apps/v9=true | --runtime-config: group version apps/v9 that has not been"
            + " registered",
        "--runtime-config=api/all=false | --runtime-config: invalid key with only api/all=false",
        "--runtime-config=api/ga=false | --runtime-config=api/ga=false conflicts with"
            + " --enable-priority-and-fairness=true",
        "--runtime-config=api/all=false,v1=true | --runtime-config=api/all=false conflicts with"
            + " --enable-priority-and-fairness=true",
        "--runtime-config=flowcontrol.apiserver.k8s.io/v1beta3=true,"
            + "flowcontrol.apiserver.k8s.io/v1=false |"
            + " --runtime-config=flowcontrol.apiserver.k8s.io/v1=false conflicts with"
            + " --enable-priority-and-fairness=true",
        "--cors-allowed-origins=example.com | invalid argument \"example.com\" for"
            + " \"--cors-allowed-origins\" flag: regular expression does not pin to start/end of"
            + " host in the origin header",
        "--cors-allowed-origins=^foo.com | invalid argument \"^foo.com\" for"
            + " \"--cors-allowed-origins\" flag: regular expression does not pin to start/end of"
            + " host in the origin header",
        "--cors-allowed-origins=//foo.com | invalid argument \"//foo.com\" for"
            + " \"--cors-allowed-origins\" flag: regular expression does not pin to start/end of"
            + " host in the origin header",
        "--cors-allowed-origins=foo.com$ | invalid argument \"foo.com$\" for"
            + " \"--cors-allowed-origins\" flag: regular expression does not pin to start/end of"
            + " host in the origin header",
      })
  void wrongArgument_isRefusedInTheWordsOfKubernetes(String argument, String message) {
    assertThatThrownBy(() -> run(argument)).isInstanceOf(FlagException.class).hasMessage(message);
  }

  /** Source: {@code TestValidateAPIPriorityAndFairness} of kube-apiserver. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "api/beta=false",
        "api/ga=true",
        "flowcontrol.apiserver.k8s.io/v1beta3=false",
        "flowcontrol.apiserver.k8s.io/v1=true",
        "api/all=false,flowcontrol.apiserver.k8s.io/v1=true"
      })
  void types_thatFlowControlDoesNotNeed_canBeDisabled(String types) {
    assertThat(run("--runtime-config=" + types).options().limits().fair()).isTrue();
    assertThat(run("--runtime-config=api/ga=false", "--enable-priority-and-fairness=false"))
        .isNotNull();
  }

  /** Source: {@code TestValidateCorsAllowedOriginList} of apiserver. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "^http://foo.com$",
        "^http://foo.com",
        "://foo.com$",
        "//foo.com$",
        "^http://foo.com(:|$)",
        "://foo.com(:|$)",
        "(^foo.com$)",
        "^http://foo.com$,//bar.com(:|$)"
      })
  void origins_withMarksOfStartAndEnd_areTaken(String origins) {
    assertThat(run("--cors-allowed-origins=" + origins).options().web().corsOrigins())
        .isEqualTo(List.of(origins.split(",", -1)));
  }

  @Test
  void switch_takesNoValueFromTheNextArgument() {
    assertThatThrownBy(() -> run("--anonymous-auth", "false"))
        .isInstanceOf(FlagException.class)
        .hasMessage("unexpected argument \"false\": flags begin with --");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-v4", "-v=4", "--v=4", "--v=0x4", "--v=04"})
  void verbosity_hasAShortForm(String argument) {
    assertThat(run(argument).options().verbosity()).isEqualTo(4);
    assertThat(run("-v", "4").options().verbosity()).isEqualTo(4);
  }

  @Test
  void underscores_areDashes() {
    assertThat(run("--secure_port=7").options().serving().port()).isEqualTo(7);
  }

  @Test
  void version_isAskedInEachForm() {
    assertThat(new Flags().read(List.of("--version=raw"), Map.of()))
        .isEqualTo(new Flags.Wish.Version(/* raw= */ true));
    assertThat(run("--version=false").warnings()).isEmpty();
  }

  @Test
  void help_precedesEverythingBehindIt() {
    assertThat(new Flags().read(List.of("-h", "--nope"), Map.of()))
        .isInstanceOf(Flags.Wish.Help.class);
  }

  @Test
  void gates_ofKubernetes_areAcceptedAndTold() {
    Flags.Wish.Run run =
        run(
            "--feature-gates=WatchList=true,GenericWorkload=true",
            "--feature-gates=kube:SidecarContainers=true",
            "--feature-gates=WindowsHostNetwork=true");

    assertThat(run.options().features()).isEqualTo(FeatureGates.DEFAULT);
    assertThat(run.warnings())
        .containsExactly(
            "--feature-gates: GenericWorkload=true has no effect",
            "Setting GA feature gate SidecarContainers=true. It will be removed in a future"
                + " release.",
            "Setting deprecated feature gate WindowsHostNetwork=true. It will be removed in a"
                + " future release.");
    assertThat(new KubernetesGates().all()).hasSizeGreaterThan(200);
  }

  static Stream<KubernetesGates.Gate> gates() {
    return new KubernetesGates()
        .all().values().stream().filter(gate -> Feature.ofWord(gate.name()).isEmpty());
  }

  @ParameterizedTest
  @MethodSource("gates")
  void gate_isSetToItsDefault_andToTheOppositeUnlessItIsLocked(KubernetesGates.Gate gate) {
    String name = gate.name();
    boolean opposite = !gate.byDefault();

    assertThat(run("--feature-gates=" + name + "=" + gate.byDefault()).options().features())
        .isEqualTo(FeatureGates.DEFAULT);
    if (gate.locked()) {
      assertThatThrownBy(() -> run("--feature-gates=" + name + "=" + opposite))
          .isInstanceOf(FlagException.class)
          .hasMessageEndingWith(
              ": cannot set feature gate %s to %s, feature is locked to %s",
              name, opposite, gate.byDefault());
    } else {
      Throwable failure = catchThrowable(() -> run("--feature-gates=" + name + "=" + opposite));
      assertThat(
              failure == null
                  || String.valueOf(failure.getMessage()).contains("but depends on features"))
          .as("%s", failure)
          .isTrue();
    }
  }

  @Test
  void gates_areThoseOf136_withTheirDefaultsAndLocks() throws IOException {
    List<String> lines =
        new KubernetesGates()
            .all().values().stream()
                .map(
                    gate ->
                        "%s %s %s%s"
                            .formatted(
                                gate.name(),
                                gate.stage(),
                                gate.byDefault(),
                                gate.locked() ? " locked" : ""))
                .sorted()
                .toList();

    assertThat(lines).containsExactlyElementsOf(listed(GATES));
  }

  @Test
  void advertisedServer_listensOnAllAddresses() {
    assertThat(
            run("--advertise-address=192.0.2.7", "--authorization-mode=RBAC")
                .options()
                .serving()
                .bindAddress()
                .isAnyLocalAddress())
        .isTrue();
    assertThat(run("--advertise-address=127.0.0.2").options().serving().bindAddress())
        .isEqualTo(java.net.InetAddress.ofLiteral("127.0.0.1"));
  }

  private static Flags.Wish.Run run(String... arguments) {
    return (Flags.Wish.Run) new Flags().read(List.of(arguments), Map.of());
  }
}
