package dev.keelson.server;

import dev.keelson.authz.AuthorizationOptions;
import dev.keelson.authz.Authorizer;
import dev.keelson.authz.AuthorizerChain;
import dev.keelson.authz.Fixed;
import dev.keelson.authz.abac.AbacAuthorizer;
import dev.keelson.authz.rbac.RbacAuthorizer;
import dev.keelson.object.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Builds the chain of authorizers from the options. */
final class Authorizers {

  private Authorizers() {}

  static Authorizer chain(
      AuthorizationOptions options, RbacAuthorizer roles, Supplier<Authorizer> node) {
    List<Authorizer> authorizers = new ArrayList<>();
    for (AuthorizationOptions.Mode mode : options.modes()) {
      authorizers.add(
          switch (mode) {
            case ALWAYS_ALLOW -> Fixed.ALWAYS_ALLOW;
            case ALWAYS_DENY -> Fixed.ALWAYS_DENY;
            case RBAC -> roles;
            case NODE -> node.get();
            case ABAC -> policies(options.policyFile());
            case WEBHOOK ->
                throw new StartException(
                    "--authorization-mode: " + mode.word() + " is not served yet",
                    new UnsupportedOperationException(mode.word()));
          });
    }
    return new AuthorizerChain(authorizers);
  }

  private static Authorizer policies(@Nullable Path file) {
    if (file == null) {
      throw new IllegalArgumentException("ABAC without a policy file");
    }
    try {
      return AbacAuthorizer.parse(Files.readString(file), Authorizers::object);
    } catch (IOException e) {
      throw new StartException("--authorization-policy-file: cannot read " + file + ": " + e, e);
    } catch (IllegalArgumentException e) {
      throw new StartException("--authorization-policy-file: " + file + ": " + e.getMessage(), e);
    }
  }

  private static MapNode object(String json) {
    if (ObjectReader.untypedJson(json.getBytes(StandardCharsets.UTF_8)) instanceof MapNode map) {
      return map;
    }
    throw new IllegalArgumentException("an object is expected");
  }
}
