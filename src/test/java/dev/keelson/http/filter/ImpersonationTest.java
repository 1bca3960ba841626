package dev.keelson.http.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.Query;
import dev.keelson.http.filter.ImpersonationCheck.Part;
import dev.keelson.request.UserInfo;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ImpersonationTest {

  @Test
  void noHeaders_areNoWish() {
    assertThat(Impersonation.of(request(Map.of()))).isEmpty();
  }

  @Test
  void user_isAuthenticated_andAskedForByName() {
    Impersonation wish = wish(Map.of("impersonate-user", List.of("ann")));

    assertThat(wish.user())
        .isEqualTo(new UserInfo("ann", "", List.of("system:authenticated"), Map.of()));
    assertThat(wish.parts()).containsExactly(new Part("", "v1", "users", "", "", "ann"));
  }

  @Test
  void account_hasItsGroups() {
    Impersonation wish =
        wish(Map.of("impersonate-user", List.of("system:serviceaccount:ns:builder")));

    assertThat(wish.user().groups())
        .containsExactly(
            "system:serviceaccounts", "system:serviceaccounts:ns", "system:authenticated");
    assertThat(wish.parts())
        .containsExactly(new Part("", "v1", "serviceaccounts", "", "ns", "builder"));
  }

  @Test
  void everyPart_isAskedFor() {
    Map<String, List<String>> headers = new HashMap<>();
    headers.put("impersonate-user", List.of("ann"));
    headers.put("impersonate-group", List.of("dev", "system:masters"));
    headers.put("impersonate-uid", List.of("7"));
    headers.put("impersonate-extra-example.com%2fscope", List.of("a", "b"));

    assertThat(wish(headers).parts())
        .containsExactly(
            new Part("", "v1", "users", "", "", "ann"),
            new Part("", "v1", "groups", "", "", "dev"),
            new Part("", "v1", "groups", "", "", "system:masters"),
            new Part("authentication.k8s.io", "v1", "userextras", "example.com/scope", "", "a"),
            new Part("authentication.k8s.io", "v1", "userextras", "example.com/scope", "", "b"),
            new Part("authentication.k8s.io", "v1", "uids", "", "", "7"));
    assertThat(wish(headers).user())
        .isEqualTo(
            new UserInfo(
                "ann",
                "7",
                List.of("dev", "system:masters", "system:authenticated"),
                Map.of("example.com/scope", List.of("a", "b"))));
  }

  @Test
  void anonymous_isUnauthenticated() {
    assertThat(wish(Map.of("impersonate-user", List.of("system:anonymous"))).user().groups())
        .containsExactly("system:unauthenticated");
  }

  @Test
  void groupWithoutUser_isRefused() {
    assertThatThrownBy(() -> Impersonation.of(request(Map.of("impersonate-group", List.of("dev")))))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.reason()).isEqualTo(Reason.INTERNAL_ERROR))
        .hasMessageEndingWith("without impersonating a user");
  }

  private static Impersonation wish(Map<String, List<String>> headers) {
    return Impersonation.of(request(headers)).orElseThrow();
  }

  private static ApiRequest request(Map<String, List<String>> headers) {
    return new ApiRequest("GET", "/api", Query.NONE, headers, new byte[0], List.of(), "");
  }
}
