package dev.keelson.cel.admission;

/** A variable of a policy. */
public record PolicyVariable(String name, PolicyExpression expression) {}
