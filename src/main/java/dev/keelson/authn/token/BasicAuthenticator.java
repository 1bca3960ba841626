package dev.keelson.authn.token;

import dev.keelson.authn.Authentication;
import dev.keelson.authn.Authenticator;
import dev.keelson.authn.Credentials;
import dev.keelson.authn.TokenDigest;
import dev.keelson.request.UserInfo;
import dev.keelson.value.Csv;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Authenticates users of a password file by HTTP basic authentication (RFC 7617). */
public final class BasicAuthenticator implements Authenticator {

  private final Map<TokenDigest, UserInfo> users;

  private BasicAuthenticator(Map<TokenDigest, UserInfo> users) {
    this.users = Map.copyOf(users);
  }

  /**
   * Parses a password file: CSV with the columns password, user, uid and optionally a quoted,
   * comma-separated list of groups.
   *
   * @throws IllegalArgumentException naming the invalid line
   */
  public static BasicAuthenticator parse(String csv) {
    Map<TokenDigest, UserInfo> users = new HashMap<>();
    Map<String, Integer> lines = new HashMap<>();
    for (Csv.Line line : Csv.lines(csv)) {
      List<String> cells = line.cells();
      if (cells.size() < 3 || cells.get(0).isEmpty() || cells.get(1).isEmpty()) {
        throw new IllegalArgumentException(
            "line %d: expected at least the columns password, user and uid"
                .formatted(line.number()));
      }
      String name = cells.get(1);
      if (lines.put(name, line.number()) != null) {
        throw new IllegalArgumentException("line %d: duplicate user".formatted(line.number()));
      }
      users.put(
          TokenDigest.of(name + ":" + cells.get(0)),
          new UserInfo(name, cells.get(2), TokenFileAuthenticator.groups(cells), Map.of()));
    }
    return new BasicAuthenticator(users);
  }

  @Override
  public Authentication authenticate(Credentials credentials) {
    if (credentials.authorization().isEmpty()) {
      return new Authentication.NoOpinion();
    }
    String value = credentials.authorization().getFirst().strip();
    if (!value.regionMatches(true, 0, "basic ", 0, 6)) {
      return new Authentication.NoOpinion();
    }
    byte[] pair;
    try {
      pair = Base64.getDecoder().decode(value.substring(6).strip());
    } catch (IllegalArgumentException e) {
      return new Authentication.Rejected("basic authentication: invalid base64");
    }
    UserInfo user = users.get(TokenDigest.of(new String(pair, StandardCharsets.UTF_8)));
    return user == null
        ? new Authentication.Rejected("basic authentication: wrong name or password")
        : new Authentication.Authenticated(user);
  }
}
