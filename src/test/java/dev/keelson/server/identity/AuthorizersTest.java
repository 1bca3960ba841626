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

    write("hook", kubeconfig("http://127.0.0.1:1/three"));
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
        "- {type: Webhook, name: w, webhook: {timeout: 3s, subjectAccessReviewVersion: v1,"
            + " failurePolicy: Deny, connectionInfo: {type: KubeConfigFile, kubeConfigFile: /none},"
            + " matchConditions: [{expression: 'true'}]}}|"
            + "authorizers[0].webhook.matchConditionSubjectAccessReviewVersion: must be v1",
        "- {type: Webhook, name: w, webhook: {timeout: 3s, subjectAccessReviewVersion: v1,"
            + " failurePolicy: Deny, connectionInfo: {type: KubeConfigFile, kubeConfigFile: /none},"
            + " matchConditionSubjectAccessReviewVersion: v1beta1}}|"
            + "authorizers[0].webhook.matchConditionSubjectAccessReviewVersion: must be v1",
        "- {type: Webhook, name: w, webhook: {timeout: 3s, subjectAccessReviewVersion: v1,"
            + " failurePolicy: Deny, connectionInfo: {type: KubeConfigFile, kubeConfigFile: /none},"
            + " matchConditionSubjectAccessReviewVersion: v1, matchConditions: [{expression:"
            + " 'true'}, {expression:"
            + " request.user}]}}|authorizers[0].webhook.matchConditions[1].expression:"
            + " \"request.user\": must evaluate to bool",
        "- {type: Webhook, name: w, webhook: {timeout: 3s, subjectAccessReviewVersion: v1,"
            + " failurePolicy: Deny, connectionInfo: {type: KubeConfigFile, kubeConfigFile: /none},"
            + " matchConditionSubjectAccessReviewVersion: v1, matchConditions: [{expression:"
            + " request.name == 'a'}]}}|authorizers[0].webhook.matchConditions[0].expression:"
            + " \"request.name == 'a'\": compilation failed: ERROR: <input>:1:8: undefined field"
            + " 'name'",
        "- {type: Webhook, name: w, webhook: {timeout: 3s, subjectAccessReviewVersion: v1,"
            + " failurePolicy: Deny, connectionInfo: {type: KubeConfigFile, kubeConfigFile: /none},"
            + " matchConditionSubjectAccessReviewVersion: v1, matchConditions: [{expression:"
            + " 'true'}, {expression:"
            + " 'true'}]}}|authorizers[0].webhook.matchConditions[1].expression: duplicate value",
        "- {type: Webhook, name: w, webhook: {timeout: 3s, subjectAccessReviewVersion: v1,"
            + " failurePolicy: Deny, connectionInfo: {type: KubeConfigFile, kubeConfigFile: /none},"
            + " matchConditionSubjectAccessReviewVersion: v1, matchConditions: [{}]}}|"
            + "authorizers[0].webhook.matchConditions[0].expression: is required",
        "- {type: Webhook, name: w, webhook: {timeout: 3s, subjectAccessReviewVersion: v1,"
            + " failurePolicy: Deny, connectionInfo: {type: KubeConfigFile, kubeConfigFile: /none},"
            + " matchConditionSubjectAccessReviewVersion: v1, matchConditions: [{expression:"
            + " 'true', name: a}]}}|authorizers[0].webhook.matchConditions[0].name: unknown"
            + " field",
        "- {type: Webhook, name: w, webhook: {timeout: 31s, subjectAccessReviewVersion: v1,"
            + " failurePolicy: Deny, connectionInfo: {type: KubeConfigFile, kubeConfigFile:"
            + " /none}}}|authorizers[0].webhook.timeout: must be greater than 0s and not more than"
            + " 30s",
        "- {type: Webhook, name: w, webhook: {subjectAccessReviewVersion: v2}}|"
            + "authorizers[0].webhook.connectionInfo: must have type KubeConfigFile",
        "- {type: Webhook, name: w, webhook: {timeout: 3s, subjectAccessReviewVersion: v1,"
            + " failurePolicy: Deny, connectionInfo: {type: KubeConfigFile, kubeConfigFile:"
            + " /none}}}|cannot read /none",
        "- {type: RBAC, name: r, webhok: {}}|authorizers[0].webhok: unknown field",
        "- {type: RBAC, name: r, webhook: {}}|authorizers[0].webhook: only allowed with type"
            + " Webhook",
        "- {type: RBAC}|authorizers[0].name: is required",
        "- {type: Rbac, name: r}|authorizers[0].type: must be one of AlwaysAllow",
        "- {type: RBAC, name: r}\\n- {type: RBAC, name: s}|authorizers[1].type: duplicate value",
        "- {type: RBAC, name: r}\\n- {type: Node, name: r}|authorizers[1].name: duplicate value",
        "- {type: ABAC, name: a}|ABAC needs --authorization-policy-file",
        "[]|authorizers: at least one is required"
      })
  void wrongConfiguration_isRefusedAtStart(String authorizers, String complaint)
      throws IOException {
    Path file = write("config", HEAD + " " + authorizers.replace("\\n", "\n "));

    assertThatThrownBy(() -> choose(List.of(), null, null, file))
        .isInstanceOf(StartupException.class)
        .hasMessageStartingWith("--authorization-config: " + file)
        .hasMessageContaining(complaint);
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

  private Authorizers.Chosen choose(
      List<Mode> modes,
      @Nullable Path policies,
      AuthorizationOptions.@Nullable Webhook hook,
      @Nullable Path config) {
    RoleSource none = sink -> {};
    return new Authorizers(
            new RbacAuthorizer(none), AlwaysAuthorizer.ALWAYS_DENY, files, new ManualClock())
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
