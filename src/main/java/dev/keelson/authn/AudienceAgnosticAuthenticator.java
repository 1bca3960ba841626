package dev.keelson.authn;

import java.util.ArrayList;
import java.util.List;

/**
 * Adapts an authenticator whose tokens carry no audience: they are accepted only if the request
 * names one of the API's audiences, or none ({@code authenticator.WrapAudienceAgnosticToken} of
 * kube-apiserver).
 *
 * @param tokens authenticates tokens without regard to audiences
 * @param audiences the implicit audiences, which are those of the API
 */
public record AudienceAgnosticAuthenticator(Authenticator tokens, List<String> audiences)
    implements Authenticator {

  public AudienceAgnosticAuthenticator {
    audiences = List.copyOf(audiences);
  }

  @Override
  public Authentication authenticate(Credentials credentials) {
    List<String> common = new ArrayList<>(credentials.audiences());
    common.retainAll(audiences);
    if (common.isEmpty() && !credentials.audiences().isEmpty()) {
      return new Authentication.NoOpinion();
    }
    return switch (tokens.authenticate(credentials)) {
      case Authentication.Authenticated known ->
          new Authentication.Authenticated(
              known.user(), common, known.annotations(), known.warnings());
      case Authentication.Rejected rejected -> rejected;
      case Authentication.NoOpinion other -> other;
    };
  }
}
