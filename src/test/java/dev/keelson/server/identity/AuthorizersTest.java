package dev.keelson.server.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.GroupResource;
import dev.keelson.authz.AlwaysAuthorizer;
import dev.keelson.authz.Attributes;
import dev.keelson.authz.AuthorizationOptions;
import dev.keelson.authz.AuthorizationOptions.Mode;
import dev.keelson.authz.Authorizer;
import dev.keelson.authz.Decision;
import dev.keelson.authz.rbac.RbacAuthorizer;
import dev.keelson.authz.rbac.RoleSource;
import dev.keelson.http.health.Metrics;
import dev.keelson.request.UserInfo;
import dev.keelson.server.lifecycle.FileReloader;
import dev.keelson.server.lifecycle.StartupException;
import dev.keelson.testing.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class AuthorizersTest {

  private static final String HEAD =
      "apiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration\nauthorizers:\n";
  private static final String ALLOW = "- {type: AlwaysAllow, name: all}\n";
  private static final String DENY = "- {type: AlwaysDeny, name: none}\n";

  @TempDir private Path directory;
  private final FileReloader files = new FileReloader();
  private final List<String> outcomes = new ArrayList<>();
  private final Metrics metrics = new Metrics();

  @BeforeEach
  void count() {
    files.counting((flag, outcome) -> outcomes.add(flag + " " + outcome));
  }

  @Test
  void policies_changed_decideAtOnce_andWrongOnesAreKeptOut() throws IOException {
    Path file = write("policies", "ann,,*,*,*,,false\n");
    Authorizer chain = choose(List.of(Mode.ABAC), file, null, null).authorizer();
    assertThat(allowed(chain, "ann")).isTrue();
    assertThat(allowed(chain, "bob")).isFalse();

    write("policies", "bob,,*,*,*,,false\n");
    files.look();
    assertThat(allowed(chain, "ann")).isFalse();
    assertThat(allowed(chain, "bob")).isTrue();

    write("policies", "ann,,*,*,*,,false\nbroken\n");
    files.look();
    assertThat(allowed(chain, "ann")).isFalse();
    assertThat(allowed(chain, "bob")).isTrue();

    Files.delete(file);
    files.look();
    assertThat(allowed(chain, "bob")).isTrue();
    assertThat(outcomes)
        .containsExactly(
            "--authorization-policy-file success",
            "--authorization-policy-file failure",
            "--authorization-policy-file failure");
  }

  @Test
  void configuration_changed_changesTheOrder_butNotWhoThereIs() throws IOException {
    Path file = write("config", HEAD + ALLOW + DENY);
    Authorizers.Chosen chosen = choose(List.of(), null, null, file);
    Authorizer chain = chosen.authorizer();
    assertThat(chosen.modes()).containsExactlyInAnyOrder(Mode.ALWAYS_ALLOW, Mode.ALWAYS_DENY);
    assertThat(allowed(chain, "ann")).isTrue();

    write("config", HEAD + DENY + ALLOW);
    files.look();
    // AlwaysDeny has no opinion that others could not have, as in Kubernetes' unions
    assertThat(chain.authorize(asked("ann")).allowed()).isTrue();

    write("config", HEAD + DENY);
    files.look();
    assertThat(allowed(chain, "ann")).isTrue();

    write("config", HEAD + ALLOW + DENY + "- {type: RBAC, name: roles}\n");
    files.look();
    assertThat(outcomes)
        .containsExactly(
            "--authorization-config success",
            "--authorization-config failure",
            "--authorization-config failure");
  }

  @Test
  void webhooks_ofAConfiguration_comeAndGo_andTheirKubeconfigsAreFollowed() throws IOException {
    Path kubeconfig = write("hook", kubeconfig("https://127.0.0.1:1/one"));
    String hook = webhook(kubeconfig, "");
    Path file = write("config", HEAD + hook + DENY);
    Authorizer chain = choose(List.of(), null, null, file).authorizer();
    assertThat(error(chain)).contains("127.0.0.1:1/one");

    write("hook", kubeconfig("https://127.0.0.1:1/two"));
    files.look();
    assertThat(error(chain)).contains("127.0.0.1:1/two");

    write("hook", kubeconfig("ftp://127.0.0.1:1/three"));
    files.look();
    assertThat(error(chain)).contains("127.0.0.1:1/two");

    write("config", HEAD + DENY);
    files.look();
    assertThat(error(chain)).isEmpty();
    assertThat(outcomes)
        .containsExactly(
            "--authorization-config success",
            "--authorization-config failure",
            "--authorization-config success");
  }

  @Test
  void conditions_changed_holdAtOnce_andWrongOnesAreKeptOut() throws IOException {
    Path kubeconfig = write("hook", kubeconfig("https://127.0.0.1:1/one"));
    Path file = write("config", HEAD + webhook(kubeconfig, condition("request.user == 'ann'")));
    Authorizer chain = choose(List.of(), null, null, file).authorizer();
    assertThat(error(chain)).contains("127.0.0.1:1/one");

    write("config", HEAD + webhook(kubeconfig, condition("request.user != 'ann'")));
    files.look();
    assertThat(error(chain)).isEmpty();

    write("config", HEAD + webhook(kubeconfig, condition("request.usr == 'ann'")));
    files.look();
    assertThat(error(chain)).isEmpty();

    write("config", HEAD + webhook(kubeconfig, condition("request.extra['a'][0] == 'x'")));
    files.look();
    assertThat(error(chain))
        .startsWith("cel evaluation error: expression 'request.extra['a'][0] == 'x''");
    assertThat(outcomes)
        .containsExactly(
            "--authorization-config success",
            "--authorization-config failure",
            "--authorization-config success");
  }

  private static String condition(String expression) {
    return ", matchConditionSubjectAccessReviewVersion: v1, matchConditions: [{expression: \""
        + expression
        + "\"}]";
  }

  @Test
  void webhook_ofTheFlags_followsItsKubeconfig() throws IOException {
    Path kubeconfig = write("hook", kubeconfig("https://127.0.0.1:1/one"));
    Authorizer chain =
        choose(
                List.of(Mode.WEBHOOK),
                null,
                new AuthorizationOptions.Webhook(
                    kubeconfig, "v1", Duration.ofMinutes(5), Duration.ofSeconds(30)),
                null)
            .authorizer();
    assertThat(error(chain)).contains("/one");

    write("hook", "nothing");
    files.look();
    assertThat(error(chain)).contains("/one");

    write("hook", kubeconfig("https://127.0.0.1:1/two"));
    files.look();
    assertThat(error(chain)).contains("/two");
    assertThat(outcomes)
        .containsExactly(
            "--authorization-webhook-config-file failure",
            "--authorization-webhook-config-file success");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[]|authorizers: Required value: at least one authorization mode must be" + " defined",
        "- {name: r}|authorizers[0].type: Required value",
        "- {type: Rbac, name: r}|authorizers[0].type: Unsupported value: \"Rbac\":"
            + " supported values: \"ABAC\", \"AlwaysAllow\", \"AlwaysDeny\", \"Node\", \"RBAC\","
            + " \"Webhook\"",
        "- {type: RBAC, name: r}\\n- {type: RBAC, name: s}|authorizers[1].type:"
            + " Duplicate value: \"RBAC\"",
        "- {type: RBAC, name: r}\\n- {type: Node, name: r}|authorizers[1].name:"
            + " Duplicate value: \"r\"",
        "- {type: RBAC}|authorizers[0].name: Required value",
        "- {type: RBAC, name: A_b}|authorizers[0].name: Invalid value: \"A_b\":"
            + " authorizer name is invalid: a lowercase RFC 1123 subdomain must"
            + " consist of",
        "- {type: RBAC, name: r, webhook: {}}|authorizers[0].webhook: Invalid"
            + " value: \"non-null\": may only be specified when type=Webhook",
        "- {type: Webhook, name: w}|authorizers[0].webhook: Required value:"
            + " required when type=Webhook",
        "- {type: RBAC, name: r, webhok: {}}|strict decoding error: unknown"
            + " field \"authorizers[0].webhok\"",
        "- {type: ABAC, name: a}|ABAC needs --authorization-policy-file",
        "- {type: RBAC}\\n- {type: AlwaysDeny}|[authorizers[0].name: Required"
            + " value, authorizers[1].name: Required value]"
      })
  void wrongConfiguration_isRefusedAtStart(String authorizers, String complaint)
      throws IOException {
    Path file = write("config", HEAD + " " + authorizers.replace("\\n", "\n "));

    assertThatThrownBy(() -> choose(List.of(), null, null, file))
        .isInstanceOf(StartupException.class)
        .hasMessageStartingWith("--authorization-config: " + file)
        .hasMessageContaining(complaint);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}|[authorizers[0].timeout: Required value,"
            + " authorizers[0].subjectAccessReviewVersion: Required value,"
            + " authorizers[0].failurePolicy: Required value,"
            + " authorizers[0].connectionInfo.type: Required value]",
        "{timeout: 31s, OK}|authorizers[0].timeout: Invalid value: \"31s\": must"
            + " be > 0s and <= 30s",
        "{timeout: -1s, OK}|authorizers[0].timeout: Invalid value: \"-1s\": must"
            + " be > 0s and <= 30s",
        "{timeout: 0s, OK}|authorizers[0].timeout: Required value",
        "{timeout: soon, OK}|authorizers[0].webhook.timeout: time: invalid" + " duration \"soon\"",
        "{timeout: 3s, authorizedTTL: -1s, unauthorizedTTL: -2s,"
            + " OK}|[authorizers[0].authorizedTTL: Invalid value: \"-1s\": must be > 0s,"
            + " authorizers[0].unauthorizedTTL: Invalid value: \"-2s\": must be > 0s]",
        "{timeout: 3s, subjectAccessReviewVersion: v2, failurePolicy: Allow,"
            + " INFO}|[authorizers[0].subjectAccessReviewVersion: Unsupported value:"
            + " \"v2\": supported values: \"v1\", \"v1beta1\", authorizers[0].failurePolicy:"
            + " Unsupported value: \"Allow\": supported values: \"NoOpinion\", \"Deny\"]",
        "{timeout: 3s, VER, connectionInfo: {type:"
            + " Url}}|authorizers[0].connectionInfo.type: Unsupported value:"
            + " {\"Type\":\"Url\",\"KubeConfigFile\":null}: supported values:"
            + " \"InClusterConfig\", \"KubeConfigFile\"",
        "{timeout: 3s, VER, connectionInfo: {type: InClusterConfig,"
            + " kubeConfigFile: /x}}|authorizers[0].connectionInfo.kubeConfigFile:"
            + " Invalid value: \"/x\": can only be set when type=KubeConfigFile",
        "{timeout: 3s, VER, connectionInfo: {type:"
            + " KubeConfigFile}}|authorizers[0].connectionInfo.kubeConfigFile:"
            + " Required value",
        "{timeout: 3s, VER, connectionInfo: {type: KubeConfigFile,"
            + " kubeConfigFile: x}}|authorizers[0].connectionInfo.kubeConfigFile:"
            + " Invalid value: \"x\": must be an absolute path",
        "{timeout: 3s, VER, connectionInfo: {type: KubeConfigFile,"
            + " kubeConfigFile: /none}}|authorizers[0].connectionInfo.kubeConfigFile:"
            + " Invalid value: \"/none\": error loading file: stat /none: no such file"
            + " or directory",
        "{timeout: 3s, VER, connectionInfo: {type: KubeConfigFile,"
            + " kubeConfigFile: /}}|authorizers[0].connectionInfo.kubeConfigFile:"
            + " Invalid value: \"/\": must be a regular file",
        "{timeout: 3s, OK, matchConditions: [{expression:"
            + " 'true'}]}|authorizers[0].matchConditionSubjectAccessReviewVersion:"
            + " Required value: required if match conditions are specified",
        "{timeout: 3s, OK, matchConditionSubjectAccessReviewVersion:"
            + " v1beta1}|authorizers[0].matchConditionSubjectAccessReviewVersion:"
            + " Unsupported value: \"v1beta1\": supported values: \"v1\"",
        "{timeout: 3s, OK, MATCH [{expression: 'true'}, {expression:"
            + " request.user}]}|authorizers[0].matchConditions[1].expression: Invalid"
            + " value: \"request.user\": must evaluate to bool",
        "{timeout: 3s, OK, MATCH [{expression: request.name =="
            + " 'a'}]}|authorizers[0].matchConditions[0].expression: Invalid value:"
            + " \"request.name == 'a'\": compilation failed: ERROR: <input>:1:8:"
            + " undefined field 'name'",
        "{timeout: 3s, OK, MATCH [{expression: 'true'}, {expression:"
            + " 'true'}]}|authorizers[0].matchConditions[1].expression: Duplicate"
            + " value: \"true\"",
        "{timeout: 3s, OK, MATCH"
            + " [{}]}|authorizers[0].matchConditions[0].expression: Required value",
        "{timeout: 3s, OK, MATCH [{expression: 'true', name: a}]}|strict"
            + " decoding error: unknown field"
            + " \"authorizers[0].webhook.matchConditions[0].name\""
      })
  void wrongWebhook_isRefusedAtStart(String webhook, String complaint) throws IOException {
    String info = "connectionInfo: {type: KubeConfigFile, kubeConfigFile: KUBECONFIG}";
    String version = "subjectAccessReviewVersion: v1, failurePolicy: Deny";
    String text =
        webhook
            .replace("MATCH", "matchConditionSubjectAccessReviewVersion: v1, matchConditions:")
            .replace("OK", "VER, INFO")
            .replace("VER", version)
            .replace("INFO", info)
            .replace("KUBECONFIG", write("hook", kubeconfig("https://127.0.0.1:1")).toString());
    Path file = write("config", HEAD + "- {type: Webhook, name: w, webhook: " + text + "}\n");

    assertThatThrownBy(() -> choose(List.of(), null, null, file))
        .isInstanceOf(StartupException.class)
        .hasMessageStartingWith("--authorization-config: " + file + ": " + complaint);
  }

  @Test
  void policyFile_goesWithAConfigurationThatHasAbac() throws IOException {
    Path policies = write("policies", "ann,,*,*,*,,false\n");
    Path without = write("without", HEAD + DENY);
    Path with = write("with", HEAD + "- {type: ABAC, name: a}\n");

    assertThatThrownBy(() -> choose(List.of(), policies, null, without))
        .isInstanceOf(StartupException.class)
        .hasMessageContaining("--authorization-policy-file needs an authorizer of type ABAC");
    assertThat(allowed(choose(List.of(), policies, null, with).authorizer(), "ann")).isTrue();
  }

  @Test
  void decisions_areCounted_byTheAuthorizerThatMakesThem() throws IOException {
    Path kubeconfig = write("hook", kubeconfig("https://127.0.0.1:1/one"));
    String excluded = webhook(kubeconfig, condition("request.user == 'bob'"));
    String unknown =
        webhook(kubeconfig, condition("request.extra['a'][0] == 'x'"))
            .replace("name: w", "name: v");
    String both =
        webhook(
                kubeconfig,
                ", matchConditionSubjectAccessReviewVersion: v1, matchConditions: [{expression:"
                    + " \"request.extra['a'][0] == 'x'\"},"
                    + " {expression: \"request.user == 'bob'\"}]")
            .replace("name: w", "name: t");
    String failing = webhook(kubeconfig, "").replace("name: w", "name: u");
    Path config = write("config", HEAD + excluded + unknown + both + failing + ALLOW);
    Authorizer chain = choose(List.of(), null, null, config).authorizer();

    assertThat(allowed(chain, "ann")).isTrue();

    assertThat(metrics.answer().body())
        .contains(
            "apiserver_authorization_decisions_total{decision=\"allowed\",name=\"all\","
                + "type=\"AlwaysAllow\"} 1")
        .contains(
            "apiserver_authorization_match_condition_exclusions_total{name=\"w\","
                + "type=\"Webhook\"} 1")
        .contains(
            "apiserver_authorization_match_condition_evaluation_errors_total{name=\"v\","
                + "type=\"Webhook\"} 1")
        .contains(
            "apiserver_authorization_match_condition_evaluation_errors_total{name=\"t\","
                + "type=\"Webhook\"} 1")
        .contains(
            "apiserver_authorization_match_condition_exclusions_total{name=\"t\","
                + "type=\"Webhook\"} 1")
        .contains(
            "apiserver_authorization_webhook_evaluations_total{name=\"u\",result=\"error\"} 1")
        .contains(
            "apiserver_authorization_webhook_duration_seconds_count{name=\"u\",result=\"error\"} 1")
        .contains(
            "apiserver_authorization_webhook_evaluations_fail_open_total{name=\"u\","
                + "result=\"error\"} 1")
        .doesNotContain("decision=\"denied\"");
  }

  private Authorizers.Chosen choose(
      List<Mode> modes,
      @Nullable Path policies,
      AuthorizationOptions.@Nullable Webhook hook,
      @Nullable Path config) {
    RoleSource none = sink -> {};
    return new Authorizers(
            new RbacAuthorizer(none),
            AlwaysAuthorizer.ALWAYS_DENY,
            files,
            new AuthorizationMetrics(metrics),
            new ManualClock())
        .choose(new AuthorizationOptions(modes, List.of(), policies, hook, config, false, null));
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  private static String webhook(Path kubeconfig, String more) {
    return "- {type: Webhook, name: w, webhook: {timeout: 1s, subjectAccessReviewVersion: v1,"
        + " failurePolicy: NoOpinion, connectionInfo: {type: KubeConfigFile, kubeConfigFile: "
        + kubeconfig
        + "}"
        + more
        + "}}\n";
  }

  private static String kubeconfig(String server) {
    return "apiVersion: v1\nkind: Config\nclusters: [{name: c, cluster: {server: \""
        + server
        + "\"}}]\ncontexts: [{name: x, context: {cluster: c}}]\ncurrent-context: x\n";
  }

  private static boolean allowed(Authorizer authorizer, String user) {
    return authorizer.authorize(asked(user)).allowed();
  }

  private static String error(Authorizer authorizer) {
    return authorizer.authorize(asked("ann")) instanceof Decision.NoOpinion none
        ? none.error()
        : "";
  }

  private static Attributes asked(String user) {
    return new Attributes(
        new UserInfo(user, "", List.of(), Map.of()),
        "get",
        Attributes.Resource.of(new GroupResource("", "pods"), "v1", "default", "p"));
  }
}
