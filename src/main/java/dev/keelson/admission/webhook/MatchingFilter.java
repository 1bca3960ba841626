package dev.keelson.admission.webhook;

import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.ClusterObjects;
import dev.keelson.admission.expression.RequestAuthorizer;
import dev.keelson.admission.expression.RequestInputs;
import dev.keelson.admission.match.Equivalents;
import dev.keelson.admission.match.Matched;
import dev.keelson.admission.match.ResourceMatcher;
import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Verb;
import dev.keelson.authz.Authorizer;
import dev.keelson.cel.admission.Activation;
import dev.keelson.cel.admission.MatchConditions;
import dev.keelson.cel.admission.PolicyCompiler;
import dev.keelson.cel.admission.PolicyCompiler.Sees;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rules, selectors and match conditions of one webhook. The conditions are compiled when the
 * first write meets them.
 */
public final class MatchingFilter implements WebhookFilter {

  private static final GroupVersionResource NAMESPACES =
      GroupVersion.CORE_V1.resource("namespaces");

  private final MapNode hook;
  private final ResourceMatcher matcher;
  private final Context context;
  private volatile @Nullable MatchConditions conditions;

  /**
   * What filters look up.
   *
   * @param objects supplies namespaces
   * @param authorizer answers the {@code authorizer} of expressions
   */
  public record Context(ResourceCatalog catalog, ClusterObjects objects, Authorizer authorizer) {}

  /** The filter of a stored webhook. */
  public MatchingFilter(MapNode hook, Context context) {
    this.hook = hook;
    this.matcher = ResourceMatcher.ofWebhook(hook);
    this.context = context;
  }

  @Override
  public Optional<Target> target(
      Verb operation, ResourceDefinition definition, String subresource) {
    List<Matched> equivalents = Equivalents.of(definition, subresource, context.catalog.snapshot());
    return matcher
        .rules(operation, definition, subresource, equivalents)
        .map(matched -> new Target(matched.resource(), matched.kind()));
  }

  @Override
  public Verdict select(AdmissionAttributes call, Target target, Evaluations evaluations) {
    if (!matcher.selects(call, () -> namespaceLabels(call))) {
      return Verdict.UNSELECTED;
    }
    if (hook.items("matchConditions").isEmpty()) {
      return Verdict.CALL;
    }
    MatchConditions compiled = conditions();
    long begin = System.nanoTime();
    MatchConditions.Verdict verdict =
        compiled.evaluate(
            new Activation(
                RequestInputs.ofConditions(
                    call, target.kind(), new RequestAuthorizer(context.authorizer, call.user())),
                null,
                List.of()));
    evaluations.evaluated(verdict.errors(), Duration.ofNanos(System.nanoTime() - begin));
    return switch (verdict) {
      case MatchConditions.Verdict.Matches _ -> Verdict.CALL;
      case MatchConditions.Verdict.Excluded _ -> Verdict.EXCLUDED;
      case MatchConditions.Verdict.Failed failed -> {
        if (hook.text("failurePolicy").equals("Ignore")) {
          yield Verdict.EXCLUDED;
        }
        throw ApiException.forbidden(
            call.definition().groupResource(), call.name(), failed.error());
      }
    };
  }

  private MatchConditions conditions() {
    MatchConditions compiled = conditions;
    if (compiled == null) {
      compiled =
          MatchConditions.compile(
              hook.maps("matchConditions"),
              PolicyCompiler.forConditions(),
              EnumSet.of(Sees.AUTHORIZER));
      conditions = compiled;
    }
    return compiled;
  }

  private Map<String, String> namespaceLabels(AdmissionAttributes call) {
    return namespace(call)
        .orElseThrow(() -> ApiException.notFound(NAMESPACES.groupResource(), call.namespace()))
        .meta()
        .labels();
  }

  private Optional<ApiObject> namespace(AdmissionAttributes call) {
    return call.namespace().isEmpty()
        ? Optional.empty()
        : context.objects.find(NAMESPACES, "", call.namespace());
  }
}
