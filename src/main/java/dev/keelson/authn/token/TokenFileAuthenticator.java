package dev.keelson.authn.token;

import dev.keelson.authn.Authentication;
import dev.keelson.authn.Authenticator;
import dev.keelson.authn.Credentials;
import dev.keelson.authn.TokenDigest;
import dev.keelson.request.UserInfo;
import dev.keelson.value.Csv;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Authenticates the bearer tokens of a token file ({@code --token-auth-file}). Tokens are held and
 * looked up as SHA-256 digests, so that the time of a lookup reveals nothing about them.
 */
public final class TokenFileAuthenticator implements Authenticator {

  private final Map<TokenDigest, UserInfo> users;

  private TokenFileAuthenticator(Map<TokenDigest, UserInfo> users) {
    this.users = Map.copyOf(users);
  }

  /**
   * Parses a token file in kube-apiserver's format: CSV with the columns token, user, uid and
   * optionally a quoted, comma-separated list of groups.
   *
   * @param csv the content of the file
   * @throws IllegalArgumentException naming the invalid line
   */
  public static TokenFileAuthenticator parse(String csv) {
    Map<TokenDigest, UserInfo> users = new HashMap<>();
    for (Csv.Line line : Csv.lines(csv)) {
      List<String> cells = line.cells();
      if (cells.size() < 3) {
        throw new IllegalArgumentException(
            "line %d: expected at least the columns token, user and uid, found %d"
                .formatted(line.number(), cells.size()));
      }
      if (cells.get(0).isEmpty() || cells.get(1).isEmpty()) {
        throw new IllegalArgumentException(
            "line %d: the %s is empty"
                .formatted(line.number(), cells.get(0).isEmpty() ? "token" : "user"));
      }
      UserInfo user = new UserInfo(cells.get(1), cells.get(2), groups(cells), Map.of());
      if (users.put(TokenDigest.of(cells.get(0)), user) != null) {
        throw new IllegalArgumentException("line %d: duplicate token".formatted(line.number()));
      }
    }
    return new TokenFileAuthenticator(users);
  }

  @Override
  public Authentication authenticate(Credentials credentials) {
    UserInfo user = credentials.tokenDigest().map(users::get).orElse(null);
    // another authenticator may accept the token; the union rejects it if none does
    return user == null ? new Authentication.NoOpinion() : new Authentication.Authenticated(user);
  }

  static List<String> groups(List<String> cells) {
    if (cells.size() < 4 || cells.get(3).isBlank()) {
      return List.of();
    }
    return List.of(cells.get(3).split(",", -1)).stream()
        .map(String::strip)
        .filter(group -> !group.isEmpty())
        .toList();
  }
}
