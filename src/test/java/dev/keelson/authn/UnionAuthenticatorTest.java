package dev.keelson.authn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.authn.Authentication.Authenticated;
import dev.keelson.authn.Authentication.NoOpinion;
import dev.keelson.authn.Authentication.Rejected;
import dev.keelson.request.UserInfo;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UnionAuthenticatorTest {

  private static final Authenticator SILENT = _ -> new NoOpinion();
  private static final Authenticator STRICT = _ -> new Rejected("expired");
  private static final Authenticator ANN = _ -> new Authenticated(user("ann", "dev"));

  @Test
  void firstSuccess_wins() {
    Authenticator bob = _ -> new Authenticated(user("bob"));

    assertThat(chain(true, SILENT, ANN, bob).authenticate(Credentials.NONE))
        .isEqualTo(new Authenticated(user("ann", "dev", "system:authenticated")));
  }

  @Test
  void success_outweighsAnEarlierRejection() {
    assertThat(chain(true, STRICT, ANN).authenticate(Credentials.NONE))
        .isInstanceOf(Authenticated.class);
  }

  @Test
  void rejection_isNotAnonymous() {
    assertThat(chain(true, STRICT, SILENT).authenticate(Credentials.NONE))
        .isEqualTo(new Rejected("expired"));
  }

  @Test
  void nobody_isAnonymous() {
    assertThat(chain(true, SILENT).authenticate(Credentials.NONE))
        .isEqualTo(new Authenticated(user("system:anonymous", "system:unauthenticated")));
  }

  @Test
  void nobody_isRejected_whenAnonymousIsOff() {
    assertThat(chain(false, SILENT).authenticate(Credentials.NONE))
        .isEqualTo(new Rejected("no credentials"));
  }

  @Test
  void bearerTokenThatNobodyKnows_isRejected() {
    assertThat(chain(true, SILENT).authenticate(header("Bearer x")))
        .isEqualTo(new Rejected("invalid bearer token"));
  }

  @Test
  void rejectionOfABearerToken_followsThatOfTheServersOwn_andIsToldOnce() {
    assertThat(chain(true, STRICT, STRICT).authenticate(header("Bearer x")))
        .isEqualTo(new Rejected("[invalid bearer token, expired]"));
  }

  @Test
  void otherScheme_isAnonymous() {
    assertThat(chain(true, SILENT).authenticate(header("Basic eDp5")))
        .isEqualTo(new Authenticated(UnionAuthenticator.ANONYMOUS));
  }

  @Test
  void twoAuthorizationHeaders_areRejected() {
    assertThat(chain(true, ANN).authenticate(header("Bearer a", "Bearer b")))
        .isEqualTo(new Rejected("more than one Authorization header"));
  }

  @Test
  void userOfTheUnauthenticatedGroup_staysSo() {
    Authenticator odd = _ -> new Authenticated(user("x", "system:unauthenticated"));

    assertThat(chain(true, odd).authenticate(Credentials.NONE))
        .isEqualTo(new Authenticated(user("x", "system:unauthenticated")));
  }

  @Test
  void credentialsOfTheAnonymousUser_areNotAuthenticated() {
    Authenticator odd = _ -> new Authenticated(user("system:anonymous", "dev"));

    assertThat(chain(true, odd).authenticate(Credentials.NONE))
        .isEqualTo(new Authenticated(user("system:anonymous", "dev")));
  }

  private static UnionAuthenticator chain(boolean anonymous, Authenticator... authenticators) {
    return new UnionAuthenticator(List.of(authenticators), anonymous);
  }

  private static Credentials header(String... values) {
    return new Credentials(List.of(values), List.of());
  }

  private static UserInfo user(String name, String... groups) {
    return new UserInfo(name, "", List.of(groups), Map.of());
  }

  @Test
  void annotationsAndWarnings_arePassedOn() {
    Authenticator warning =
        _ -> new Authenticated(user("ann"), List.of(), Map.of("a", "b"), List.of("old"));
    assertThat(chain(true, warning).authenticate(Credentials.NONE))
        .isEqualTo(
            new Authenticated(
                user("ann", "system:authenticated"), List.of(), Map.of("a", "b"), List.of("old")));

    Authenticator marked = _ -> new Rejected("marked", Map.of("c", "d"));
    assertThat(chain(true, STRICT, marked).authenticate(Credentials.NONE))
        .isEqualTo(new Rejected("[expired, marked]", Map.of("c", "d")));
  }
}
