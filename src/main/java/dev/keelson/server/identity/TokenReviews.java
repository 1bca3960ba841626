package dev.keelson.server.identity;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.authn.Authentication;
import dev.keelson.authn.Credentials;
import dev.keelson.authn.UnionAuthenticator;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.request.UserInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Handles TokenReviews.
 *
 * @param chain authenticates the token; its anonymous user is not used
 * @param apiAudiences the audiences if the review names none
 */
record TokenReviews(UnionAuthenticator chain, List<String> apiAudiences) {

  /** Returns the review with its status. */
  ApiObject answer(ApiObject review) {
    if (!review.meta().namespace().isEmpty()) {
      throw ApiException.badRequest(
          "namespace is not allowed on this type: " + review.meta().namespace());
    }
    MapNode spec = review.root().map("spec");
    String token = spec.text("token");
    if (token.isEmpty()) {
      throw ApiException.badRequest("token is required for TokenReview in authentication");
    }
    List<String> wanted = new ArrayList<>();
    for (Node item : spec.items("audiences")) {
      if (item instanceof Node.Text(String audience)) {
        wanted.add(audience);
      }
    }
    MapNode status =
        switch (chain.authenticate(
            Credentials.ofToken(token, wanted.isEmpty() ? apiAudiences : wanted))) {
          case Authentication.Authenticated known -> known(known);
          case Authentication.Rejected rejected ->
              MapNode.of("user", MapNode.EMPTY).with("error", Node.text(rejected.reason()));
          case Authentication.NoOpinion _ -> MapNode.of("user", MapNode.EMPTY);
        };
    return review.with("status", status);
  }

  private static MapNode known(Authentication.Authenticated known) {
    if (known.user().equals(UnionAuthenticator.ANONYMOUS)) {
      throw new ApiException(
          Reason.INTERNAL_ERROR, "the token was authenticated as the anonymous user");
    }
    MapNode status = MapNode.of("authenticated", Node.Bool.TRUE).with("user", user(known.user()));
    return known.audiences().isEmpty()
        ? status
        : status.with("audiences", Node.texts(known.audiences()));
  }

  private static MapNode user(UserInfo user) {
    MapNode node = MapNode.of("username", Node.text(user.name()));
    if (!user.uid().isEmpty()) {
      node = node.with("uid", Node.text(user.uid()));
    }
    if (!user.groups().isEmpty()) {
      node = node.with("groups", Node.texts(user.groups()));
    }
    MapNode.Builder extra = MapNode.builder(user.extra().size());
    new TreeMap<>(user.extra()).forEach((key, values) -> extra.put(key, Node.texts(values)));
    return user.extra().isEmpty() ? node : node.with("extra", extra.build());
  }
}
