package dev.keelson.authn;

import java.util.ArrayList;
import java.util.List;

/**
 * Tokens that name no audience are meant for the API: they are known only where the API's own name
 * is among the wanted audiences.
 *
 * @param tokens knows tokens, whatever they are meant for
 * @param audiences the names of the API
 */
public record ForTheApi(Authenticator tokens, List<String> audiences) implements Authenticator {

  public ForTheApi {
    audiences = List.copyOf(audiences);
  }

  @Override
  public Authentication authenticate(Credentials credentials) {
    List<String> common = new ArrayList<>(credentials.audiences());
    common.retainAll(audiences);
    if (common.isEmpty() && !credentials.audiences().isEmpty()) {
      return new Authentication.NotMine();
    }
    return switch (tokens.authenticate(credentials)) {
      case Authentication.Authenticated known ->
          new Authentication.Authenticated(known.user(), common);
      case Authentication.Rejected rejected -> rejected;
      case Authentication.NotMine other -> other;
    };
  }
}
