package dev.keelson.server;

import dev.keelson.authz.AuthorizationOptions;
import dev.keelson.authz.Authorizer;
import dev.keelson.authz.AuthorizerChain;
import dev.keelson.authz.Fixed;
import dev.keelson.authz.rbac.RbacAuthorizer;
import java.util.ArrayList;
import java.util.List;

/** Builds the chain of authorizers from the options. */
final class Authorizers {

  private Authorizers() {}

  static Authorizer chain(AuthorizationOptions options, RbacAuthorizer roles) {
    List<Authorizer> authorizers = new ArrayList<>();
    for (AuthorizationOptions.Mode mode : options.modes()) {
      authorizers.add(
          switch (mode) {
            case ALWAYS_ALLOW -> Fixed.ALWAYS_ALLOW;
            case ALWAYS_DENY -> Fixed.ALWAYS_DENY;
            case RBAC -> roles;
            case ABAC, WEBHOOK, NODE ->
                throw new StartException(
                    "--authorization-mode: " + mode.word() + " is not served yet",
                    new UnsupportedOperationException(mode.word()));
          });
    }
    return new AuthorizerChain(authorizers);
  }
}
