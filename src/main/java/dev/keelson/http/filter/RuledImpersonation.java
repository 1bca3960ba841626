package dev.keelson.http.filter;

import dev.keelson.authz.Attributes;
import dev.keelson.authz.Authorizer;
import dev.keelson.authz.Decision;
import dev.keelson.authz.Refusal;
import dev.keelson.request.UserInfo;

/** Lets the authorizer decide who may act as whom. */
record RuledImpersonation(Authorizer authorizer) implements ImpersonationCheck {

  @Override
  public void require(UserInfo user, Part part) {
    Attributes wish =
        new Attributes(
            user,
            "impersonate",
            new Attributes.Resource(
                part.group(),
                part.version(),
                part.resource(),
                part.subresource(),
                part.namespace(),
                part.name(),
                "",
                ""));
    Decision decision = authorizer.authorize(wish);
    if (!(decision instanceof Decision.Allow)) {
      throw Refusal.of(wish, decision);
    }
  }
}
