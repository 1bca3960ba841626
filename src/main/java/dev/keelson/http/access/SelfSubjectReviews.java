package dev.keelson.http.access;

import dev.keelson.http.verb.VirtualResource;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.request.UserInfo;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.TreeMap;

/**
 * SelfSubjectReview: the authenticated user of the request (KEP-3325). The request body is ignored;
 * the response has a creationTimestamp, as in Kubernetes.
 *
 * @param clock supplies the creationTimestamp
 */
record SelfSubjectReviews(InstantSource clock) implements VirtualResource {

  @Override
  public ApiObject answer(Request request) {
    UserInfo user = request.context().user();
    MapNode info = MapNode.of("username", Node.text(user.name()));
    if (!user.uid().isEmpty()) {
      info = info.with("uid", Node.text(user.uid()));
    }
    if (!user.groups().isEmpty()) {
      info = info.with("groups", Node.texts(user.groups()));
    }
    if (!user.extra().isEmpty()) {
      MapNode.Builder extra = MapNode.builder(user.extra().size());
      new TreeMap<>(user.extra()).forEach((key, values) -> extra.put(key, Node.texts(values)));
      info = info.with("extra", extra.build());
    }
    String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    return request
        .sent()
        .with("metadata", MapNode.of("creationTimestamp", Node.text(now)))
        .with("status", MapNode.of("userInfo", info));
  }
}
