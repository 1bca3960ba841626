package dev.keelson.http.history;

import dev.keelson.authz.Attributes;
import dev.keelson.authz.Authorizer;
import dev.keelson.authz.Decision;
import dev.keelson.authz.ForbiddenError;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.UserInfo;

/** Authorizes verbs on the object of a request for its history. */
public record ObjectRights(Authorizer authorizer) {

  /**
   * Checks that a user may do {@code verb} on the object.
   *
   * @throws dev.keelson.api.ApiException of reason Forbidden otherwise
   */
  void require(UserInfo user, String verb, RequestInfo.Resource info) {
    Attributes wish =
        new Attributes(
            user,
            verb,
            Attributes.Resource.of(
                info.groupResource(),
                info.groupVersion().version(),
                info.namespace(),
                info.name()));
    Decision decision = authorizer.authorize(wish);
    if (!decision.allowed()) {
      throw ForbiddenError.of(wish, decision);
    }
  }
}
