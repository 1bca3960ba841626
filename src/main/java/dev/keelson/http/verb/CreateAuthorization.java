package dev.keelson.http.verb;

import dev.keelson.authz.Attributes;
import dev.keelson.authz.Authorizer;
import dev.keelson.authz.Decision;
import dev.keelson.authz.ForbiddenError;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.UserInfo;

/**
 * Authorizes the verb create for an update or patch that creates an object, in addition to the verb
 * of the request (source: {@code withAuthorization} in Kubernetes' endpoints/handlers).
 */
record CreateAuthorization(Authorizer authorizer) {

  /** Throws Forbidden if {@code user} may not create the object of the path. */
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
