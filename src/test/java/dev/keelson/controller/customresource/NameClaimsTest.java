package dev.keelson.controller.customresource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.schema.BuiltInResources;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.proto.ProtoSchemas;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NameClaimsTest {

  private static final ResourceCatalog CATALOG =
      new ResourceCatalog(BuiltInResources.all(ProtoSchemas.fromClassPath()::struct));
  private static final DefinitionNames NONE =
      new DefinitionNames("", "", List.of(), "", "", List.of());

  private static Definition definition(
      String name, long revision, DefinitionNames requested, DefinitionNames accepted) {
    return new Definition(
        name + ".example.com",
        "uid",
        revision,
        "example.com",
        requested,
        accepted,
        List.of(),
        Optional.empty(),
        /* legacy= */ false,
        /* deleting= */ false,
        /* cleaned= */ true);
  }

  private static DefinitionNames names(String plural, String shortName, String kind) {
    return new DefinitionNames(plural, "", List.of(shortName), kind, kind + "List", List.of());
  }

  private static void claim(DefinitionNames names, List<String> resources, List<String> kinds) {
    resources.add(names.plural());
    resources.add(names.singular());
    resources.addAll(names.shortNames());
    kinds.add(names.kind());
    kinds.add(names.listKind());
  }

  private static void release(DefinitionNames names, List<String> resources, List<String> kinds) {
    resources.remove(names.plural());
    resources.remove(names.singular());
    names.shortNames().forEach(resources::remove);
    kinds.remove(names.kind());
    kinds.remove(names.listKind());
  }

  /** The decision from all definitions of the group. */
  private static NameRules.Decision fromScratch(Iterable<Definition> all, Definition asked) {
    List<String> resources = new ArrayList<>();
    List<String> kinds = new ArrayList<>();
    List<Definition> waiting = new ArrayList<>();
    for (Definition each : all) {
      claim(each.accepted(), resources, kinds);
      if (each.pending() && each.revision() < asked.revision()) {
        waiting.add(each);
      }
    }
    waiting.sort(Comparator.comparingLong(Definition::revision));
    for (Definition each : waiting) {
      DefinitionNames next =
          NameRules.decide(each.requested(), each.accepted(), used(resources, kinds)).accepted();
      release(each.accepted(), resources, kinds);
      claim(next, resources, kinds);
    }
    return NameRules.decide(asked.requested(), asked.accepted(), used(resources, kinds));
  }

  private static NameRules.Used used(List<String> resources, List<String> kinds) {
    Set<String> names = new HashSet<>(resources);
    Set<String> types = new HashSet<>(kinds);
    names.remove("");
    types.remove("");
    return new NameRules.Used(names, types);
  }

  @Test
  void decisions_afterChanges_areThoseFromScratch() {
    Random random = new Random(3);
    NameClaims claims = new NameClaims(CATALOG);
    Map<String, Definition> all = new HashMap<>();
    for (int revision = 1; revision < 4_000; revision++) {
      String plural = "things" + random.nextInt(30);
      Definition before = all.get(plural);
      int choice = random.nextInt(10);
      if (choice < 2) {
        Optional<Definition> gone = claims.remove(plural + ".example.com");
        assertThat(gone.isPresent()).isEqualTo(all.remove(plural) != null);
      } else {
        // few names, so that there are conflicts
        DefinitionNames requested =
            names(plural, "t" + random.nextInt(20), "Kind" + random.nextInt(20));
        DefinitionNames accepted = before == null ? NONE : before.accepted();
        Definition next = definition(plural, revision, requested, accepted);
        if (choice > 5 && before != null) {
          next = definition(plural, revision, before.requested(), claims.decide(before).accepted());
        }
        Optional<Definition> unused = claims.put(next);
        all.put(plural, next);
      }
      Set<String> pending = new HashSet<>();
      for (Definition each : all.values()) {
        assertThat(claims.decide(each)).isEqualTo(fromScratch(all.values(), each));
        if (each.pending()) {
          pending.add(each.name());
        }
      }
      assertThat(claims.pending("example.com")).containsExactlyInAnyOrderElementsOf(pending);
    }
  }

  /** The feed brings what this server has written and learned already. */
  @Test
  void stateThatIsPutTwice_stillWaits() {
    NameClaims claims = new NameClaims(CATALOG);
    Definition waiting = definition("oaks", 6, names("oaks", "t", "Tree"), NONE);
    assertThat(claims.put(waiting)).isEmpty();

    assertThat(claims.put(waiting)).contains(waiting);

    assertThat(claims.pending("example.com")).containsExactly("oaks.example.com");
  }

  @Test
  void decide_onANameOfABuiltInResource_isAConflict() {
    NameClaims claims = new NameClaims(CATALOG);
    Definition apps =
        new Definition(
            "others.apps",
            "uid",
            1,
            "apps",
            names("others", "deploy", "Deployment"),
            NONE,
            List.of(),
            Optional.empty(),
            /* legacy= */ false,
            /* deleting= */ false,
            /* cleaned= */ true);
    Optional<Definition> unused = claims.put(apps);

    assertThat(claims.decide(apps).condition().isTrue()).isFalse();
    assertThat(claims.decide(apps).accepted().kind()).isEmpty();
    Optional<Definition> gone = claims.remove("others.apps");
    assertThat(gone).contains(apps);
    assertThat(claims.pending("apps")).isEmpty();
  }
}
