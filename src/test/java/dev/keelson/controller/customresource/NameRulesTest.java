package dev.keelson.controller.customresource;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class NameRulesTest {

  private static final DefinitionNames NONE = names("", "", "", "");

  private static final DefinitionNames WANTED = names("pines", "pine", "Pine", "Pines", "pi", "pn");

  private static DefinitionNames names(
      String plural, String singular, String kind, String listKind, String... shortNames) {
    return new DefinitionNames(plural, singular, List.of(shortNames), kind, listKind, List.of());
  }

  private static DefinitionCondition conflict(String reason, String message) {
    return new DefinitionCondition("NamesAccepted", "False", reason, message);
  }

  private static DefinitionCondition accepted() {
    return new DefinitionCondition("NamesAccepted", "True", "NoConflicts", "no conflicts found");
  }

  /** Wanted, accepted before, accepted of another definition of the group, the decision. */
  static Stream<Arguments> decisions() {
    return Stream.of(
        Arguments.of(
            "first",
            names("pines", "", "", ""),
            NONE,
            NONE,
            names("pines", "", "", ""),
            accepted()),
        Arguments.of(
            "all free", WANTED, NONE, names("oaks", "oak", "Oak", "Oaks"), WANTED, accepted()),
        Arguments.of(
            "plural taken as singular",
            WANTED,
            NONE,
            names("oaks", "pines", "", ""),
            names("", "pine", "Pine", "Pines", "pi", "pn"),
            conflict("PluralConflict", "\"pines\" is already in use")),
        Arguments.of(
            "singular taken as short name",
            WANTED,
            NONE,
            names("oaks", "oak", "", "", "pine"),
            names("pines", "", "Pine", "Pines", "pi", "pn"),
            conflict("SingularConflict", "\"pine\" is already in use")),
        Arguments.of(
            "one short name taken",
            WANTED,
            NONE,
            names("oaks", "oak", "", "", "pn"),
            names("pines", "pine", "Pine", "Pines"),
            conflict("ShortNamesConflict", "\"pn\" is already in use")),
        Arguments.of(
            "all short names taken",
            WANTED,
            NONE,
            names("oaks", "oak", "", "", "pn", "pi"),
            names("pines", "pine", "Pine", "Pines"),
            conflict("ShortNamesConflict", "[\"pi\" is already in use, \"pn\" is already in use]")),
        Arguments.of(
            "kind taken as list kind",
            WANTED,
            NONE,
            names("oaks", "oak", "", "Pine"),
            names("pines", "pine", "", "Pines", "pi", "pn"),
            conflict("KindConflict", "\"Pine\" is already in use")),
        Arguments.of(
            "list kind taken as kind",
            WANTED,
            NONE,
            names("oaks", "oak", "Pines", ""),
            names("pines", "pine", "Pine", "", "pi", "pn"),
            conflict("ListKindConflict", "\"Pines\" is already in use")),
        Arguments.of(
            "a resource does not conflict with a kind",
            WANTED,
            NONE,
            names("oaks", "Pine", "", ""),
            WANTED,
            accepted()),
        Arguments.of(
            "the last conflict is told, the rest is merged",
            WANTED,
            names("firs", "fir", "Fir", "Firs", "f", "fi"),
            names("oaks", "pine", "Pines", "", ""),
            names("pines", "fir", "Pine", "Firs", "pi", "pn"),
            conflict("ListKindConflict", "\"Pines\" is already in use")),
        Arguments.of(
            "short names are merged as one",
            WANTED,
            names("firs", "fir", "Fir", "Firs", "f", "fi"),
            names("oaks", "pine", "Pines", "", "pi"),
            names("pines", "fir", "Pine", "Firs", "f", "fi"),
            conflict("ListKindConflict", "\"Pines\" is already in use")),
        Arguments.of("accepted before", WANTED, WANTED, NONE, WANTED, accepted()),
        Arguments.of(
            "a short name is removed",
            names("pines", "pine", "Pine", "Pines", "pi"),
            WANTED,
            NONE,
            names("pines", "pine", "Pine", "Pines", "pi"),
            accepted()),
        Arguments.of(
            "a short name is the own singular",
            names("pines", "pine", "Pine", "Pines", "pine"),
            names("pines", "pine", "Pine", "Pines"),
            NONE,
            names("pines", "pine", "Pine", "Pines", "pine"),
            accepted()),
        Arguments.of(
            "the own singular becomes the plural",
            names("pine", "p", "Pine", "Pines"),
            names("pines", "pine", "Pine", "Pines"),
            NONE,
            names("pines", "p", "Pine", "Pines"),
            conflict("PluralConflict", "\"pine\" is already in use")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("decisions")
  void decide_followsTheNamingController(
      String name,
      DefinitionNames wanted,
      DefinitionNames before,
      DefinitionNames other,
      DefinitionNames after,
      DefinitionCondition condition) {
    NameRules.Decision decision = NameRules.decide(wanted, before, used(before, other));

    assertThat(decision.accepted()).as(name).isEqualTo(after);
    assertThat(decision.condition()).as(name).isEqualTo(condition);
  }

  @Test
  void decide_takesCategoriesWithoutChecks() {
    DefinitionNames wanted =
        new DefinitionNames("pines", "pine", List.of(), "Pine", "Pines", List.of("all"));

    assertThat(NameRules.decide(wanted, NONE, used(NONE, names("all", "", "", ""))).accepted())
        .isEqualTo(wanted);
  }

  private static NameRules.Used used(DefinitionNames... all) {
    Set<String> resources = new HashSet<>();
    Set<String> kinds = new HashSet<>();
    for (DefinitionNames names : all) {
      resources.addAll(List.of(names.plural(), names.singular()));
      resources.addAll(names.shortNames());
      kinds.addAll(List.of(names.kind(), names.listKind()));
    }
    resources.remove("");
    kinds.remove("");
    return new NameRules.Used(resources, kinds);
  }
}
