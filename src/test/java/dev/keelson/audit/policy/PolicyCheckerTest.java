package dev.keelson.audit.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.audit.AuditConfig;
import dev.keelson.audit.event.Stage;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.RequestInfoResolver;
import dev.keelson.request.UserInfo;
import dev.keelson.schema.codec.ObjectReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The cases of kube-apiserver's own test of its evaluator (audit/policy/checker_test.go). */
class PolicyCheckerTest {

  private static final UserInfo TIM =
      new UserInfo("tim@k8s.io", "", List.of("humans", "developers"), Map.of());

  private static final Map<String, String> PATHS =
      Map.of(
          "status", "/api/v1/namespaces/default/pods/busybox/status",
          "crdStatus", "/apis/example.com/v1/widgets/w/status",
          "namespaced", "/api/v1/namespaces/default/pods/busybox",
          "cluster", "/apis/rbac.authorization.k8s.io/v1beta1/clusterroles/edit",
          "nonResource", "/logs/kubelet.log",
          "subresource", "/api/v1/namespaces/default/pods/busybox/log",
          "unauthorized", "/api/v1/namespaces/default/pods/busybox");

  private static final Map<String, String> RULES =
      Map.ofEntries(
          Map.entry("default", "{level: Metadata}"),
          Map.entry("create", "{level: Request, verbs: [create]}"),
          Map.entry("tims", "{level: Metadata, users: [tim@k8s.io]}"),
          Map.entry("humans", "{level: Metadata, userGroups: [humans]}"),
          Map.entry("serviceAccounts", "{level: Request, userGroups: [system:serviceaccounts]}"),
          Map.entry("getPods", get("RequestResponse", "resources: [{resources: [pods]}]")),
          Map.entry("getPodLogs", get("Request", "resources: [{resources: [pods/log]}]")),
          Map.entry("getAny", get("Request", "resources: [{resources: ['*']}]")),
          Map.entry("getAnyLog", get("Request", "resources: [{resources: ['*/log']}]")),
          Map.entry("getPodsAny", get("Request", "resources: [{resources: ['pods/*']}]")),
          Map.entry(
              "getClusterRoles",
              get(
                  "RequestResponse",
                  "resources: [{group: rbac.authorization.k8s.io, resources: [clusterroles]}],"
                      + " namespaces: ['']")),
          Map.entry("getLogs", get("RequestResponse", "nonResourceURLs: ['/logs*']")),
          Map.entry("getMetrics", get("Request", "nonResourceURLs: [/metrics]")),
          Map.entry(
              "clusterRoleEdit",
              "{level: Request, resources: [{group: rbac.authorization.k8s.io, resources:"
                  + " [clusterroles], resourceNames: [edit]}]}"),
          Map.entry("anyGroup", get("Request", "resources: [{group: '*'}]")),
          Map.entry(
              "anyStatus", "{level: None, resources: [{group: '*', resources: ['*/status']}]}"),
          Map.entry(
              "anyClusterRole",
              get("RequestResponse", "resources: [{group: '*', resources: [clusterroles]}]")),
          Map.entry(
              "anyEdit",
              get(
                  "RequestResponse",
                  "resources: [{group: '*', resources: ['*'], resourceNames: [edit]}]")),
          Map.entry("omitReceived", "{level: Request, omitStages: [RequestReceived]}"),
          Map.entry(
              "onlyPanic",
              "{level: Request, omitStages: [RequestReceived, ResponseStarted,"
                  + " ResponseComplete]}"));

  private static final List<String> ROWS =
      List.of(
          "namespaced  default                            Metadata",
          "namespaced  create                             None",
          "namespaced  tims                               Metadata",
          "namespaced  humans                             Metadata",
          "namespaced  serviceAccounts                    None",
          "namespaced  getPods                            RequestResponse",
          "namespaced  getClusterRoles                    None",
          "namespaced  getLogs                            None",
          "namespaced  getMetrics                         None",
          "namespaced  getMetrics,serviceAccounts,default Metadata",
          "namespaced  getMetrics,getPods,default         RequestResponse",
          "namespaced  getPodLogs,getPods                 RequestResponse",
          "cluster     default                            Metadata",
          "cluster     create                             None",
          "cluster     tims                               Metadata",
          "cluster     humans                             Metadata",
          "cluster     serviceAccounts                    None",
          "cluster     getPods                            None",
          "cluster     getClusterRoles                    RequestResponse",
          "cluster     clusterRoleEdit,getClusterRoles    Request",
          "cluster     getLogs                            None",
          "cluster     getMetrics                         None",
          "cluster     getMetrics,serviceAccounts,default Metadata",
          "cluster     getMetrics,getClusterRoles,default RequestResponse",
          "cluster     getPodLogs,getPods                 None",
          "nonResource default                            Metadata",
          "nonResource create                             None",
          "nonResource tims                               Metadata",
          "nonResource humans                             Metadata",
          "nonResource serviceAccounts                    None",
          "nonResource getPods                            None",
          "nonResource getClusterRoles                    None",
          "nonResource getLogs                            RequestResponse",
          "nonResource getMetrics                         None",
          "nonResource getMetrics,serviceAccounts,default Metadata",
          "nonResource getLogs,getClusterRoles,default    RequestResponse",
          "nonResource getPodLogs,getPods                 None",
          "subresource getPodLogs,getPods                 Request",
          "subresource getAny                             Request",
          "subresource getAnyLog                          Request",
          "subresource getPodsAny                         Request",
          "namespaced  anyGroup                           Request",
          "cluster     anyGroup                           Request",
          "subresource anyGroup                           Request",
          "nonResource anyGroup                           None",
          "cluster     anyClusterRole                     RequestResponse",
          "namespaced  anyClusterRole                     None",
          "cluster     anyEdit                            RequestResponse",
          "namespaced  anyEdit                            None",
          "namespaced  anyStatus,default                  Metadata",
          "status      anyStatus,default                  None",
          "crdStatus   anyStatus,default                  None",
          "unauthorized tims                              None",
          "unauthorized tims,default                      Metadata",
          "unauthorized humans                            None",
          "unauthorized humans,default                    Metadata");

  static Stream<String> rows() {
    return Stream.of("", "RequestReceived,ResponseStarted")
        .flatMap(stages -> ROWS.stream().map(row -> row + " | " + stages));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void firstMatchingRule_givesTheLevel_andThePolicyItsStages(String row) {
    String[] halves = row.split("\\|", -1);
    String[] cells = halves[0].strip().split(" +", -1);
    Set<String> stages = words(halves[1].strip());

    AuditConfig config = evaluate(cells[0], cells[1], stages);

    assertThat(config.level().word()).isEqualTo(cells[2]);
    assertThat(omitted(config)).isEqualTo(stages);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "omitReceived,getPods,default | '' | RequestReceived",
        "onlyPanic,getPods,default | '' | RequestReceived,ResponseStarted,ResponseComplete",
        "omitReceived,getPods,default | RequestReceived,ResponseStarted |"
            + " RequestReceived,ResponseStarted",
        "onlyPanic,getPods,default | RequestReceived,ResponseStarted |"
            + " RequestReceived,ResponseStarted,ResponseComplete",
        "omitReceived | Panic,RequestReceived | RequestReceived,Panic",
        "omitReceived | ResponseComplete,ResponseComplete | RequestReceived,ResponseComplete",
      })
  void stagesOfRuleAndPolicy_areBothOmitted(String rules, String policy, String omitted) {
    for (String request : List.of("namespaced", "cluster", "nonResource")) {
      AuditConfig config = evaluate(request, rules, words(policy));

      assertThat(config.level().word()).isEqualTo("Request");
      assertThat(omitted(config)).isEqualTo(words(omitted));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "false, '', false",
    "true, '', true",
    "true, false, false",
    "false, true, true",
    "false, null, false",
    "true, null, true",
  })
  void managedFields_areOmittedAsTheRuleSays_orElseThePolicy(
      String policy, String rule, boolean omitted) {
    String of = rule.isEmpty() ? "" : ", omitManagedFields: " + rule;

    AuditConfig config =
        read("omitManagedFields: " + policy, "{level: RequestResponse, verbs: [get]" + of + "}")
            .evaluate(null, info("namespaced"));

    assertThat(config.omitManagedFields()).isEqualTo(omitted);
  }

  private static AuditConfig evaluate(String request, String rules, Set<String> stages) {
    String chosen =
        Arrays.stream(rules.split(",", -1))
            .map(name -> Objects.requireNonNull(RULES.get(name), name))
            .collect(Collectors.joining(", "));
    return read("omitStages: " + stages, chosen).evaluate(user(request), info(request));
  }

  private static PolicyEvaluator read(String field, String rules) {
    String policy =
        "{apiVersion: audit.k8s.io/v1, kind: Policy, " + field + ", rules: [" + rules + "]}";
    return PolicyReader.read(
            ObjectReader.untypedYaml(policy.getBytes(StandardCharsets.UTF_8)), List.of())
        .policy();
  }

  private static @Nullable UserInfo user(String request) {
    return request.equals("unauthorized") ? null : TIM;
  }

  private static RequestInfo info(String request) {
    String path = Objects.requireNonNull(PATHS.get(request), request);
    return RequestInfoResolver.parse("GET", path, Map.of());
  }

  private static String get(String level, String matched) {
    return "{level: " + level + ", verbs: [get], " + matched + "}";
  }

  private static Set<String> words(String list) {
    return list.isEmpty() ? Set.of() : new HashSet<>(List.of(list.split(",", -1)));
  }

  private static Set<String> omitted(AuditConfig config) {
    return EnumSet.allOf(Stage.class).stream()
        .filter(config.omitStages()::contains)
        .map(Stage::word)
        .collect(Collectors.toSet());
  }
}
