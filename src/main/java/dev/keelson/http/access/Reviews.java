package dev.keelson.http.access;

import dev.keelson.api.GroupResource;
import dev.keelson.authz.Authorizer;
import dev.keelson.http.verb.VirtualResource;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

/** The handlers of the review resources. */
public final class Reviews {

  private static final String AUTHORIZATION = "authorization.k8s.io";

  private Reviews() {}

  /**
   * Returns the handlers of the access reviews and of SelfSubjectReview.
   *
   * @param clock supplies the creationTimestamp of SelfSubjectReview
   */
  public static Map<GroupResource, VirtualResource> of(Authorizer authorizer, InstantSource clock) {
    AccessReviews access = new AccessReviews(authorizer);
    Map<GroupResource, VirtualResource> reviews = new LinkedHashMap<>();
    reviews.put(new GroupResource(AUTHORIZATION, "subjectaccessreviews"), access::ofAnyone);
    reviews.put(new GroupResource(AUTHORIZATION, "selfsubjectaccessreviews"), access::ofSelf);
    reviews.put(new GroupResource(AUTHORIZATION, "localsubjectaccessreviews"), access::inNamespace);
    reviews.put(
        new GroupResource(AUTHORIZATION, "selfsubjectrulesreviews"), new RulesReview(authorizer));
    reviews.put(
        new GroupResource("authentication.k8s.io", "selfsubjectreviews"),
        new SelfSubjectReviews(clock));
    return reviews;
  }
}
