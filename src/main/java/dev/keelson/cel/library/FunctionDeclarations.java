package dev.keelson.cel.library;

import com.google.common.collect.ImmutableList;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelFunctionOverload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects function overloads with their types and implementations. Used by one thread. An
 * exception of a function is an evaluation error.
 */
final class FunctionDeclarations {

  private final Map<String, List<CelOverloadDecl>> overloads = new LinkedHashMap<>();
  private final List<CelFunctionBinding> bindings = new ArrayList<>();

  /** A type in CEL and in Java. */
  record Type<T>(CelType cel, Class<T> java) {}

  /** {@code name()}. */
  FunctionDeclarations global(String name, String id, CelType result, CelFunctionOverload does) {
    declare(name, CelOverloadDecl.newGlobalOverload(id, result));
    bindings.add(CelFunctionBinding.from(id, ImmutableList.of(), does));
    return this;
  }

  /** {@code name(argument)}. */
  <A> FunctionDeclarations global(
      String name, String id, CelType result, Type<A> argument, CelFunctionOverload.Unary<A> does) {
    declare(name, CelOverloadDecl.newGlobalOverload(id, result, argument.cel()));
    bindings.add(CelFunctionBinding.from(id, argument.java(), does));
    return this;
  }

  /** {@code name(argument, second)}. */
  <A, B> FunctionDeclarations global(
      String name,
      String id,
      CelType result,
      Type<A> argument,
      Type<B> second,
      CelFunctionOverload.Binary<A, B> does) {
    declare(name, CelOverloadDecl.newGlobalOverload(id, result, argument.cel(), second.cel()));
    bindings.add(CelFunctionBinding.from(id, argument.java(), second.java(), does));
    return this;
  }

  /** {@code target.name()}. */
  <A> FunctionDeclarations member(
      String name, String id, CelType result, Type<A> target, CelFunctionOverload.Unary<A> does) {
    declare(name, CelOverloadDecl.newMemberOverload(id, result, target.cel()));
    bindings.add(CelFunctionBinding.from(id, target.java(), does));
    return this;
  }

  /** {@code target.name(argument)}. */
  <A, B> FunctionDeclarations member(
      String name,
      String id,
      CelType result,
      Type<A> target,
      Type<B> argument,
      CelFunctionOverload.Binary<A, B> does) {
    declare(name, CelOverloadDecl.newMemberOverload(id, result, target.cel(), argument.cel()));
    bindings.add(CelFunctionBinding.from(id, target.java(), argument.java(), does));
    return this;
  }

  /** {@code target.name(argument, second)}. */
  <A, B, C> FunctionDeclarations member(
      String name,
      String id,
      CelType result,
      Type<A> target,
      Type<B> argument,
      Type<C> second,
      CelFunctionOverload does) {
    declare(
        name,
        CelOverloadDecl.newMemberOverload(id, result, target.cel(), argument.cel(), second.cel()));
    bindings.add(
        CelFunctionBinding.from(
            id, ImmutableList.of(target.java(), argument.java(), second.java()), does));
    return this;
  }

  private void declare(String name, CelOverloadDecl overload) {
    overloads.computeIfAbsent(name, key -> new ArrayList<>()).add(overload);
  }

  /** The declarations for the compiler. */
  List<CelFunctionDecl> declarations() {
    return overloads.entrySet().stream()
        .map(one -> CelFunctionDecl.newFunctionDeclaration(one.getKey(), one.getValue()))
        .toList();
  }

  /** The bindings for the runtime. */
  List<CelFunctionBinding> bindings() {
    return List.copyOf(bindings);
  }
}
