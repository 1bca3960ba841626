package dev.keelson.flow.rule;

import dev.keelson.object.Node.MapNode;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.UserInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A rule of a FlowSchema: requests of any subject that any of the request rules is about. */
record PolicyRule(
    List<Subject> subjects, List<RequestRule.Resources> resources, List<RequestRule.Paths> paths) {

  PolicyRule {
    subjects = List.copyOf(subjects);
    resources = List.copyOf(resources);
    paths = List.copyOf(paths);
  }

  static PolicyRule of(MapNode rule) {
    List<Subject> subjects = new ArrayList<>();
    for (MapNode subject : rule.maps("subjects")) {
      Optional<Subject> read = Subject.of(subject);
      read.ifPresent(subjects::add);
    }
    return new PolicyRule(
        subjects,
        rule.maps("resourceRules").stream().map(RequestRule.Resources::of).toList(),
        rule.maps("nonResourceRules").stream().map(RequestRule.Paths::of).toList());
  }

  boolean matches(UserInfo user, RequestInfo request) {
    return hasSubject(user) && hasRequest(request);
  }

  private boolean hasSubject(UserInfo user) {
    for (Subject subject : subjects) {
      if (subject.matches(user)) {
        return true;
      }
    }
    return false;
  }

  private boolean hasRequest(RequestInfo request) {
    switch (request) {
      case RequestInfo.Resource resource -> {
        for (RequestRule.Resources rule : resources) {
          if (rule.matches(resource)) {
            return true;
          }
        }
      }
      case RequestInfo.NonResource other -> {
        for (RequestRule.Paths rule : paths) {
          if (rule.matches(other)) {
            return true;
          }
        }
      }
    }
    return false;
  }
}
