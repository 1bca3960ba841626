package dev.keelson.server.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.ApiException;
import dev.keelson.authz.AlwaysAuthorizer;
import dev.keelson.authz.rbac.EscalationCheck;
import dev.keelson.authz.rbac.RbacAuthorizer;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.Collection;
import dev.keelson.registry.WriteOptions;
import dev.keelson.request.UserInfo;
import dev.keelson.testing.LocalApi;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The escalation check sees what mutating steps have made of a role. */
@Timeout(60)
class EscalationAdmissionTest {

  private static final MapNode RULE =
      MapNode.of("verbs", Node.texts(List.of("get")))
          .with("apiGroups", Node.texts(List.of("")))
          .with("resources", Node.texts(List.of("secrets")));

  /** Adds a rule to every role, as a webhook may. */
  private static final class AddsRule implements Admission {
    @Override
    public ApiObject mutate(AdmissionAttributes call, ApiObject object) {
      return call.concerns(EscalationCheck.GROUP, "roles")
          ? object.with("rules", new Node.Items(List.of(RULE)))
          : object;
    }
  }

  private static ApiObject create(LocalApi api, UserInfo user) {
    Collection roles = api.collection("rbac.authorization.k8s.io/v1", "roles", "default");
    return api.served(
        api.registry()
            .create(
                roles,
                api.object("rbac.authorization.k8s.io/v1", "roles", "{'metadata':{'name':'r'}}"),
                new WriteOptions(false, "t", user, _ -> {})));
  }

  private static Admission chain() {
    return new EscalationAdmission(
        new EscalationCheck(AlwaysAuthorizer.ALWAYS_DENY, new RbacAuthorizer(_ -> {})),
        new AddsRule());
  }

  @Test
  void ruleOfAMutatingStep_isCheckedAgainstTheUser(@TempDir Path directory) {
    try (LocalApi api = LocalApi.open(directory, chain())) {
      assertThatThrownBy(() -> create(api, new UserInfo("jane", "", List.of(), Map.of())))
          .isInstanceOf(ApiException.class)
          .hasMessageContaining("is attempting to grant RBAC permissions not currently held");
    }
  }

  @Test
  void ruleOfAMutatingStep_isStoredForAnAdministrator(@TempDir Path directory) {
    try (LocalApi api = LocalApi.open(directory, chain())) {
      ApiObject created =
          create(api, new UserInfo("root", "", List.of("system:masters"), Map.of()));

      assertThat(created.root().items("rules")).hasSize(1);
    }
  }
}
