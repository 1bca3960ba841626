package dev.keelson.http.filter;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.ApiException;
import dev.keelson.authz.Attributes;
import dev.keelson.authz.Authorizer;
import dev.keelson.authz.Decision;
import dev.keelson.authz.RuleList;
import dev.keelson.http.filter.ImpersonationCheck.Part;
import dev.keelson.request.UserInfo;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RuledImpersonationTest {

  private static final UserInfo BOB = new UserInfo("bob", "", List.of(), Map.of());

  @Test
  void part_thatRulesDoNotAllow_isForbidden() {
    assertThatThrownBy(
            () ->
                new RuledImpersonation(new Nobody())
                    .require(BOB, new Part("", "v1", "groups", "", "", "system:masters")))
        .isInstanceOf(ApiException.class)
        .hasMessage(
            "groups \"system:masters\" is forbidden: User \"bob\" cannot impersonate resource"
                + " \"groups\" in API group \"\" at the cluster scope");
  }

  private static final class Nobody implements Authorizer {
    @Override
    public Decision authorize(Attributes attributes) {
      return new Decision.NoOpinion("", "");
    }

    @Override
    public RuleList rules(UserInfo user, String namespace) {
      throw new AssertionError("nobody asks for rules");
    }
  }
}
