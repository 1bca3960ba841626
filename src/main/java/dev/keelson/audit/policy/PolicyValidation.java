package dev.keelson.audit.policy;

import dev.keelson.api.FieldCause;
import dev.keelson.api.Names;
import dev.keelson.audit.event.Level;
import dev.keelson.audit.event.Stage;
import dev.keelson.value.GoQuote;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The rules of policies (source: apiserver, apis/audit/validation). */
final class PolicyValidation {

  private static final List<String> LEVELS = Stream.of(Level.values()).map(Level::word).toList();
  private static final List<String> STAGES = Stream.of(Stage.values()).map(Stage::word).toList();

  private final List<String> problems = new ArrayList<>();

  private PolicyValidation() {}

  /** What is wrong with a policy, each with its field, none twice; empty if nothing is. */
  static List<String> problems(Policy policy) {
    PolicyValidation validation = new PolicyValidation();
    validation.omitStages("omitStages", policy.omitStages());
    for (int i = 0; i < policy.rules().size(); i++) {
      validation.rule("rules[" + i + "]", policy.rules().get(i));
    }
    return validation.problems.stream().distinct().toList();
  }

  private void rule(String at, PolicyRule rule) {
    if (rule.level().isEmpty()) {
      add(FieldCause.required(at + ".level", ""));
    } else if (!LEVELS.contains(rule.level())) {
      problems.add(
          at
              + ".level: Unsupported value: "
              + GoQuote.quote(rule.level())
              + ": supported values: "
              + LEVELS.stream().map(GoQuote::quote).collect(Collectors.joining(", ")));
    }
    urls(at + ".nonResourceURLs", rule.nonResourceUrls());
    resources(at + ".resources", rule.resources());
    omitStages(at + ".omitStages", rule.omitStages());
    if (!rule.nonResourceUrls().isEmpty()
        && !(rule.resources().isEmpty() && rule.namespaces().isEmpty())) {
      problems.add(
          invalid(
              at + ".nonResourceURLs",
              list(rule.nonResourceUrls()),
              "rules cannot apply to both regular resources and non-resource URLs"));
    }
  }

  private void urls(String at, List<String> urls) {
    for (int i = 0; i < urls.size(); i++) {
      String url = urls.get(i);
      if (url.equals("*")) {
        continue;
      }
      String path = at + "[" + i + "]";
      if (!url.startsWith("/")) {
        add(
            FieldCause.invalid(
                path, url, "non-resource URL rules must begin with a '/' character"));
      }
      if (!url.isEmpty() && url.substring(0, url.length() - 1).indexOf('*') >= 0) {
        add(
            FieldCause.invalid(
                path,
                url,
                "non-resource URL wildcards '*' must be the final character of the rule"));
      }
    }
  }

  private void resources(String at, List<GroupResources> resources) {
    for (GroupResources each : resources) {
      boolean noName = each.group().isEmpty() || each.group().equals(GroupResources.ALL_GROUPS);
      String wrong = noName ? "" : Names.dnsSubdomain(each.group());
      if (!wrong.isEmpty()) {
        add(FieldCause.invalid(at + ".group", each.group(), wrong.replace("\n", ",")));
      }
      if (!each.resourceNames().isEmpty() && each.resources().isEmpty()) {
        problems.add(
            invalid(
                at + ".resourceNames",
                list(each.resourceNames()),
                "using resourceNames requires at least one resource"));
      }
    }
  }

  private void omitStages(String at, List<String> stages) {
    for (int i = 0; i < stages.size(); i++) {
      if (!STAGES.contains(stages.get(i))) {
        add(
            FieldCause.invalid(
                at + "[" + i + "]",
                stages.get(i),
                "allowed stages are " + String.join(",", STAGES)));
      }
    }
  }

  private void add(FieldCause cause) {
    problems.add(cause.summary());
  }

  private static String invalid(String at, String value, String detail) {
    return at + ": Invalid value: " + value + ": " + detail;
  }

  private static String list(List<String> values) {
    return values.stream().map(GoQuote::quote).collect(Collectors.joining(",", "[", "]"));
  }
}
