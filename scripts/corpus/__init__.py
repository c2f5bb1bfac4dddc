"""The parts of scripts/instructions: operands, the modules that go through them, and the families of instructions."""
