package dev.keelson.authn.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.authn.Authentication;
import dev.keelson.authn.Credentials;
import dev.keelson.request.UserInfo;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TokenFileAuthenticatorTest {

  private static final String FILE =
      """
      t1,ann,1,"dev,ops"
      t2,bob,2

      "t,3","c ""x"\"", 3 ,single
      """;

  static Stream<List<Object>> known() {
    return Stream.of(
        List.of("Bearer t1", new UserInfo("ann", "1", List.of("dev", "ops"), Map.of())),
        List.of(" bearer t2 ", new UserInfo("bob", "2", List.of(), Map.of())),
        List.of("Bearer t,3", new UserInfo("c \"x\"", "3 ", List.of("single"), Map.of())));
  }

  @ParameterizedTest
  @MethodSource("known")
  void token_inTheFile_isItsUser(List<Object> headerThenUser) {
    assertThat(authenticate(String.valueOf(headerThenUser.getFirst())))
        .isEqualTo(new Authentication.Authenticated((UserInfo) headerThenUser.getLast()));
  }

  static Stream<String> unknown() {
    return Stream.of("Bearer t", "Bearer t11", "Bearer ", "Bearer", "Basic t1", "t1", "");
  }

  @ParameterizedTest
  @MethodSource("unknown")
  void everythingElse_isLeftToOthers(String header) {
    assertThat(authenticate(header)).isEqualTo(new Authentication.NoOpinion());
  }

  static Stream<List<String>> wrongFiles() {
    return Stream.of(
        List.of(
            "a,b,c\n\nx,y\n", "line 3: expected at least the columns token, user and uid, found 2"),
        List.of("a,b,c\na,d,e", "line 2: duplicate token"),
        List.of(",b,c", "line 1: the token is empty"),
        List.of("a,,c", "line 1: the user is empty"),
        List.of("a,b,c,\"g", "line 1: missing closing quote"),
        List.of("a,b,c,\"g\"h", "line 1: expected a comma after the quoted cell"));
  }

  @ParameterizedTest
  @MethodSource("wrongFiles")
  void wrongFile_isRefusedByLine(List<String> fileThenMessage) {
    assertThatThrownBy(() -> TokenFileAuthenticator.parse(fileThenMessage.getFirst()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(fileThenMessage.getLast());
  }

  @Test
  void emptyFile_knowsNobody() {
    Authentication outcome =
        TokenFileAuthenticator.parse("\n")
            .authenticate(new Credentials(List.of("Bearer x"), List.of()));

    assertThat(outcome).isEqualTo(new Authentication.NoOpinion());
  }

  private static Authentication authenticate(String header) {
    return TokenFileAuthenticator.parse(FILE)
        .authenticate(new Credentials(List.of(header), List.of()));
  }
}
