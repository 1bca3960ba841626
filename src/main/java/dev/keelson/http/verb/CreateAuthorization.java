package dev.keelson.http.verb;

import dev.keelson.authz.Attributes;
import dev.keelson.authz.Authorizer;
import dev.keelson.authz.Decision;
import dev.keelson.authz.ForbiddenError;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.UserInfo;

/**
 * Whether a replace or a patch may bring an object into being: who asks must be allowed to create
 * it, beside what the request was let in with (source: Kubernetes' endpoints/handlers, update and
 * patch).
 */
record CreateAuthorization(Authorizer authorizer) {

  /** Throws if {@code user} may not create what the path names. */
  void require(UserInfo user, RequestInfo.Resource info) {
    Attributes wish =
        new Attributes(
            user,
            "create",
            new Attributes.Resource(
                info.groupVersion().group(),
                info.groupVersion().version(),
                info.resource(),
                info.subresource(),
                info.namespace(),
                info.name(),
                "",
                ""));
    Decision decision = authorizer.authorize(wish);
    if (!decision.allowed()) {
      throw ForbiddenError.of(wish, decision);
    }
  }
}
