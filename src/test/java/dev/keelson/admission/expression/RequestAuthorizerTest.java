package dev.keelson.admission.expression;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.authz.AlwaysAuthorizer;
import dev.keelson.authz.Attributes;
import dev.keelson.authz.Authorizer;
import dev.keelson.authz.Decision;
import dev.keelson.authz.ResolvedRules;
import dev.keelson.cel.library.CelAuthorizer.Check;
import dev.keelson.cel.library.CelAuthorizer.Selectors;
import dev.keelson.request.UserInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RequestAuthorizerTest {

  private final List<Attributes> asked = new ArrayList<>();
  private final RequestAuthorizer authorizer =
      new RequestAuthorizer(
          new Authorizer() {
            @Override
            public Decision authorize(Attributes attributes) {
              asked.add(attributes);
              return AlwaysAuthorizer.ALWAYS_ALLOW.authorize(attributes);
            }

            @Override
            public ResolvedRules rules(UserInfo user, String namespace) {
              return ResolvedRules.NONE;
            }
          },
          new UserInfo("jane", "", List.of("system:authenticated"), Map.of()));

  @Test
  void serviceAccount_hasTheGroupsOfServiceAccountsOnly() {
    Check check = new Check("ns/sa", "/x", "", "", "", "", "", new Selectors("", ""), "get");

    assertThat(authorizer.decide(check).allowed()).isTrue();

    assertThat(asked)
        .extracting(Attributes::user)
        .containsExactly(
            new UserInfo(
                "system:serviceaccount:ns:sa",
                "",
                List.of("system:serviceaccounts", "system:serviceaccounts:ns"),
                Map.of()));
  }

  @Test
  void sameCheck_isDecidedOnce() {
    Check check = new Check(null, "/x", "", "", "", "", "", new Selectors("", ""), "get");

    assertThat(authorizer.decide(check)).isEqualTo(authorizer.decide(check));

    assertThat(asked).extracting(attributes -> attributes.user().name()).containsExactly("jane");
  }
}
