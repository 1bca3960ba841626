package dev.keelson.audit.policy;

import dev.keelson.audit.AuditConfig;
import dev.keelson.audit.AuditPolicy;
import dev.keelson.audit.event.Level;
import dev.keelson.audit.event.Stage;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.UserInfo;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates a valid policy: the first rule that matches a request decides, and a request that none
 * matches is not recorded (source: apiserver, audit/policy/checker.go). Safe for use by any thread.
 *
 * <p>For each resource that has been asked for, the rules that can match it are found once; a
 * request is compared with those alone. The index is bounded, since paths may name any resource.
 */
public final class PolicyEvaluator implements AuditPolicy {

  /** So many resources are indexed; the built-in ones with their subresources are about 250. */
  private static final int MAX_INDEXED = 2048;

  private final List<CompiledRule> rules;
  private final List<CompiledRule> pathRules;
  private final AuditConfig unmatched;
  private final Map<ResourceKey, List<Candidate>> byResource = new ConcurrentHashMap<>();

  private record ResourceKey(String group, String resource, String subresource) {}

  /**
   * A rule that can match a resource.
   *
   * @param names the objects it is about, or null for all
   */
  private record Candidate(CompiledRule rule, @Nullable Set<String> names) {}

  PolicyEvaluator(Policy policy) {
    this.rules = policy.rules().stream().map(rule -> compiled(policy, rule)).toList();
    this.pathRules = rules.stream().filter(CompiledRule::isForPaths).toList();
    this.unmatched =
        new AuditConfig(Level.NONE, stages(policy.omitStages()), policy.omitManagedFields());
  }

  @Override
  public AuditConfig evaluate(@Nullable UserInfo user, RequestInfo info) {
    return switch (info) {
      case RequestInfo.Resource resource -> resource(user, resource);
      case RequestInfo.NonResource path -> path(user, path);
    };
  }

  private AuditConfig resource(@Nullable UserInfo user, RequestInfo.Resource info) {
    String verb = info.verb().word();
    for (Candidate candidate : candidates(info)) {
      CompiledRule rule = candidate.rule();
      Set<String> names = candidate.names();
      if (rule.matches(user, verb)
          && rule.matchesNamespace(info.namespace())
          && (names == null || names.contains(info.name()))) {
        return rule.config();
      }
    }
    return unmatched;
  }

  private AuditConfig path(@Nullable UserInfo user, RequestInfo.NonResource info) {
    for (CompiledRule rule : pathRules) {
      if (rule.matches(user, info.verb()) && rule.matchesPath(info.path())) {
        return rule.config();
      }
    }
    return unmatched;
  }

  private List<Candidate> candidates(RequestInfo.Resource info) {
    ResourceKey key =
        new ResourceKey(info.groupVersion().group(), info.resource(), info.subresource());
    List<Candidate> known = byResource.get(key);
    if (known == null) {
      known = find(key);
      if (byResource.size() < MAX_INDEXED) {
        byResource.put(key, known);
      }
    }
    return known;
  }

  private List<Candidate> find(ResourceKey key) {
    List<Candidate> found = new ArrayList<>();
    for (CompiledRule rule : rules) {
      CompiledRule.Names names = rule.names(key.group(), key.resource(), key.subresource());
      switch (names) {
        case CompiledRule.Names.None _ -> {}
        case CompiledRule.Names.All _ -> found.add(new Candidate(rule, null));
        case CompiledRule.Names.Of of -> found.add(new Candidate(rule, of.names()));
      }
    }
    return List.copyOf(found);
  }

  private static CompiledRule compiled(Policy policy, PolicyRule rule) {
    EnumSet<Stage> omitted = EnumSet.noneOf(Stage.class);
    omitted.addAll(stages(policy.omitStages()));
    omitted.addAll(stages(rule.omitStages()));
    Boolean omit = rule.omitManagedFields();
    return new CompiledRule(
        rule,
        new AuditConfig(
            level(rule.level()), omitted, omit == null ? policy.omitManagedFields() : omit));
  }

  private static Level level(String word) {
    return Level.ofWord(word)
        .orElseThrow(() -> new IllegalStateException("the policy is not validated: level " + word));
  }

  private static Set<Stage> stages(List<String> words) {
    EnumSet<Stage> stages = EnumSet.noneOf(Stage.class);
    words.forEach(word -> Stage.ofWord(word).ifPresent(stages::add));
    return stages;
  }
}
